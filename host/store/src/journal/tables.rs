//! Writing records.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use portcullis::hooks::Mode;
use portcullis_agent::{EventRow, RunEnd, RunRow, RunState};

use super::kinds::{self, At, Kinds, RunKind};
use super::sessions::Changes;
use super::{JournalError, events};
use crate::database::signed;
use crate::error::StoreError;
use crate::sql::{Value, without_nul};
use crate::writing::{Insert, Transaction, Writing};

/// A record to write.
#[derive(Debug)]
pub(super) enum Record {
    Begin(Box<RunRow>),
    End {
        id: i64,
        at_ms: u64,
        end: Box<RunEnd>,
        /// The run, if it has ended now and began in an earlier transaction.
        begun: Option<Box<RunRow>>,
    },
    Event(Box<EventRow>),
}

/// The result of a transaction.
#[derive(Default)]
pub(super) struct Written {
    /// The invalid records.
    pub(super) refused: Vec<JournalError>,
    /// The ids of kinds that were not known.
    pub(super) kinds: Kinds,
}

/// A run that begins in a transaction, and how it has ended, if it has.
struct Row<'a> {
    begun: &'a RunRow,
    end: Option<End<'a>>,
}

#[derive(Clone, Copy)]
struct End<'a> {
    at_ms: u64,
    end: &'a RunEnd,
    kind: i64,
}

impl<'a> Row<'a> {
    /// Whether the run has ended.
    fn is_over(&self) -> bool {
        self.end.is_some_and(|it| !it.end.state.is_open())
    }
}

/// Writes records in one transaction. `known` are the ids of kinds.
pub(super) async fn write(
    writing: &mut Writing,
    host: i64,
    records: &[Record],
    known: &Kinds,
) -> Result<Written, StoreError> {
    match write_together(writing, host, records, known).await? {
        Some(written) => Ok(written),
        None => write_each(writing, host, records, known).await,
    }
}

/// The runs that records end, in order; `None` for those that end none, or one that never began.
fn ended(records: &[Record]) -> Vec<Option<At<'_>>> {
    let mut begun = HashMap::new();
    let ended = records.iter().map(|record| match record {
        Record::Begin(row) => {
            begun.insert(row.id, &**row);
            None
        }
        Record::End {
            id,
            end,
            begun: earlier,
            ..
        } if !end.state.is_open() => begun.remove(id).or(earlier.as_deref()).map(At::of),
        Record::End { .. } | Record::Event(_) => None,
    });
    ended.collect()
}

/// The kinds of records in order, and those that were not known.
async fn kinds_of(
    transaction: &mut Transaction<'_>,
    records: &[Record],
    ended: &[Option<At<'_>>],
    known: &Kinds,
) -> Result<(Vec<i64>, Kinds), StoreError> {
    let kinds = records.iter().zip(ended).map(|(record, at)| match record {
        Record::End { end, .. } => Some(RunKind::new((*at)?, end)),
        Record::Begin(_) | Record::Event(_) => None,
    });
    let kinds: Vec<Option<RunKind<'_>>> = kinds.collect();
    let ids: Vec<Option<i64>> = kinds
        .iter()
        .map(|kind| known.get(kind.as_ref()?).copied())
        .collect();
    let new = kinds.iter().zip(&ids).filter(|(_, id)| id.is_none());
    let new = new.filter_map(|(kind, _)| kind.clone()).collect();
    let new = kinds::ids(transaction, new).await?;
    let id = |(kind, id): (&Option<RunKind<'_>>, Option<i64>)| match (kind, id) {
        (Some(kind), None) => new.get(kind).copied().unwrap_or_default(),
        (_, id) => id.unwrap_or_default(),
    };
    let ids = kinds.iter().zip(ids).map(id).collect();
    Ok((ids, new))
}

/// Writes a run that begins and ends among these records as one row. Nothing if a record is invalid: then none is written.
async fn write_together(
    writing: &mut Writing,
    host: i64,
    records: &[Record],
    known: &Kinds,
) -> Result<Option<Written>, StoreError> {
    let mut transaction = writing.begin().await?;
    let runs = ended(records);
    let (kinds, new) = kinds_of(&mut transaction, records, &runs, known).await?;
    let mut changes = Changes::default();
    let (mut rows, mut places): (Vec<Row<'_>>, HashMap<i64, usize>) = Default::default();
    let mut earlier = Vec::new();
    for ((record, at), kind) in records.iter().zip(runs).zip(kinds) {
        match record {
            Record::Begin(begun) => {
                if places.insert(begun.id, rows.len()).is_some() {
                    return Ok(None);
                }
                rows.push(Row { begun, end: None });
                changes.began(&begun.session, begun.turn, begun.started_ms);
            }
            Record::End { id, at_ms, end, .. } => {
                let ended = End {
                    at_ms: *at_ms,
                    end,
                    kind,
                };
                match places.get(id).and_then(|place| rows.get_mut(*place)) {
                    Some(row) if row.is_over() => return Ok(None),
                    Some(row) => row.end = Some(ended),
                    None => earlier.push((*id, ended)),
                }
                at.into_iter().for_each(|at| changes.ended(at, end, *at_ms));
            }
            Record::Event(row) => {
                if events::write(&mut transaction, host, row).await? == 0 {
                    return Ok(None);
                }
                changes.event(row);
            }
        }
    }
    let (count, rows) = (rows.len(), rows.iter().map(|row| row.values(host)));
    if transaction.insert(&RUNS, rows).await? != count as u64 {
        return Ok(None);
    }
    for (id, ended) in earlier {
        if end(&mut transaction, host, id, ended).await? == 0 {
            return Ok(None);
        }
    }
    changes.write(&mut transaction, host).await?;
    transaction.commit().await?;
    Ok(Some(Written {
        refused: Vec::new(),
        kinds: new,
    }))
}

/// Writes one record after the other, without those that are invalid.
async fn write_each(
    writing: &mut Writing,
    host: i64,
    records: &[Record],
    known: &Kinds,
) -> Result<Written, StoreError> {
    let mut transaction = writing.begin().await?;
    let runs = ended(records);
    let (kinds, new) = kinds_of(&mut transaction, records, &runs, known).await?;
    let mut refused = Vec::new();
    let mut changes = Changes::default();
    for ((record, at), kind) in records.iter().zip(runs).zip(kinds) {
        match record {
            Record::Begin(begun) => {
                let row = Row { begun, end: None }.values(host);
                if transaction.insert(&RUNS, [row].into_iter()).await? == 0 {
                    refused.push(JournalError::BegunTwice { id: begun.id });
                }
                changes.began(&begun.session, begun.turn, begun.started_ms);
            }
            Record::End { id, at_ms, end, .. } => {
                let ended = End {
                    at_ms: *at_ms,
                    end,
                    kind,
                };
                match self::end(&mut transaction, host, *id, ended).await? {
                    0 => refused.push(JournalError::NotRunning { id: *id }),
                    _ => at.into_iter().for_each(|at| changes.ended(at, end, *at_ms)),
                }
            }
            Record::Event(row) => {
                if events::write(&mut transaction, host, row).await? == 0 {
                    refused.push(JournalError::BegunTwice { id: row.id });
                }
                changes.event(row);
            }
        }
    }
    changes.write(&mut transaction, host).await?;
    transaction.commit().await?;
    Ok(Written {
        refused,
        kinds: new,
    })
}

/// The runs of a transaction: those whose ids are there are not added.
const RUNS: Insert = Insert {
    table: "runs",
    columns: &COLUMNS,
    conflict: "ON CONFLICT (host, id) DO NOTHING",
};

/// How many columns a run has when it begins. The others follow when it ends.
const BEGUN: usize = 12;

const COLUMNS: [&str; 31] = [
    "host",
    "id",
    "session",
    "turn",
    "step",
    "point",
    "hook",
    "attempt",
    "component",
    "input",
    "started_ms",
    "call_id",
    // The end.
    "state",
    "ended_ms",
    "outcome",
    "latency_us",
    "fuel",
    "cause",
    "message",
    "contributions",
    "before",
    "after",
    "fatal",
    "mode",
    "code",
    "restarted",
    "used",
    "changes",
    "memory",
    "kind",
    "would",
];

impl<'a> Row<'a> {
    /// The values of all columns.
    fn values(&self, host: i64) -> Vec<Value<'a>> {
        static OPEN: LazyLock<RunEnd> = LazyLock::new(|| RunEnd::of(RunState::Started));
        let Self { begun, end } = self;
        let mut values = Vec::with_capacity(COLUMNS.len());
        values.extend([
            host.into(),
            begun.id.into(),
            without_nul(&begun.session).into(),
            begun.turn.into(),
            begun.step.into(),
            begun.point.as_str().into(),
            without_nul(&begun.hook).into(),
            begun.attempt.into(),
            begun.component.as_deref().into(),
            begun.input.as_deref().into(),
            signed(begun.started_ms).into(),
            begun.call_id.as_deref().map(without_nul).into(),
        ]);
        let open = End {
            at_ms: 0,
            end: &OPEN,
            kind: 0,
        };
        end.unwrap_or(open).add_values(&mut values);
        values
    }
}

impl<'a> End<'a> {
    /// Adds the values of the columns of the end.
    fn add_values(self, values: &mut Vec<Value<'a>>) {
        let Self { at_ms, end, kind } = self;
        let ended_ms = (!end.state.is_open()).then(|| signed(at_ms));
        values.extend([
            end.state.code().into(),
            ended_ms.into(),
            end.outcome.as_deref().into(),
            end.latency_us.map(signed).into(),
            end.fuel.map(signed).into(),
            end.cause.as_deref().into(),
            end.message.as_deref().map(without_nul).into(),
            list(&end.contributions).into(),
            end.before.as_deref().into(),
            end.after.as_deref().into(),
            end.fatal.into(),
            end.mode.map(Mode::name).into(),
            end.code.as_deref().map(without_nul).into(),
            end.restarted.into(),
            end.used.as_deref().map(list).into(),
            end.changes.as_ref().map(json).into(),
            end.memory.map(signed).into(),
            kind.into(),
            end.would.as_ref().map(json).into(),
        ]);
    }
}

/// Ends a run that began in an earlier transaction. Gives whether there was one.
async fn end(
    transaction: &mut Transaction<'_>,
    host: i64,
    id: i64,
    ended: End<'_>,
) -> Result<u64, StoreError> {
    static SQL: LazyLock<String> = LazyLock::new(|| {
        let set = COLUMNS.iter().skip(BEGUN).zip(3..);
        let set = set.map(|(column, place)| format!("{column} = ${place}"));
        format!(
            "UPDATE runs SET {} WHERE host = $1 AND id = $2 AND state IN ('started', 'backgrounded')",
            set.collect::<Vec<_>>().join(", ")
        )
    });
    let mut values = Vec::with_capacity(COLUMNS.len());
    values.extend([host.into(), id.into()]);
    ended.add_values(&mut values);
    transaction.execute(&SQL, &values).await
}

/// A list as JSON. Nearly every one is empty.
fn list(texts: &[String]) -> Cow<'static, str> {
    match texts {
        [] => "[]".into(),
        texts => serde_json::to_string(texts).unwrap_or_default().into(),
    }
}

fn json(value: &impl serde::Serialize) -> Cow<'static, str> {
    let text = serde_json::to_string(value).unwrap_or_default();
    without_nul(&text).into_owned().into()
}
