//! Writing entries.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use portcullis::hooks::Mode;
use portcullis_agent::{RunEnd, RunRow, RunState};

use super::kinds::{self, At, Kinds, RunKind};
use super::record::{Entry, EntryEnd};
use super::sessions::Changes;
use super::{JournalError, events};
use crate::database::signed;
use crate::error::StoreError;
use crate::sql::{Value, without_nul};
use crate::writing::{Insert, Transaction, Writing};

/// The result of a transaction.
#[derive(Default)]
pub(super) struct Written {
    /// The invalid entries.
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

impl<'a> End<'a> {
    fn new(end: &'a EntryEnd, kind: i64) -> Self {
        Self {
            at_ms: end.at_ms,
            end: &end.end,
            kind,
        }
    }
}

/// Writes entries in one transaction. `known` are the ids of kinds.
pub(super) async fn write(
    writing: &mut Writing,
    host: i64,
    entries: &[Entry],
    known: &Kinds,
) -> Result<Written, StoreError> {
    match write_together(writing, host, entries, known).await? {
        Some(written) => Ok(written),
        None => write_each(writing, host, entries, known).await,
    }
}

/// The runs of entries that begin in them and end in a later one of them, with their places.
fn ended_later(entries: &[Entry]) -> HashMap<i64, (usize, &RunRow)> {
    let mut later: HashMap<i64, Option<(usize, &RunRow)>> = HashMap::new();
    let ends = entries.iter().filter_map(|entry| match entry {
        Entry::End { id, .. } => Some((*id, None)),
        Entry::Run { .. } | Entry::Event(_) => None,
    });
    later.extend(ends);
    if later.is_empty() {
        return HashMap::new();
    }
    let mut place = 0;
    for entry in entries {
        let Entry::Run { row, end } = entry else {
            continue;
        };
        let is_open = end.as_ref().is_none_or(|end| !end.is_over());
        if is_open && let Some(found) = later.get_mut(&row.id) {
            *found = Some((place, row));
        }
        place += 1;
    }
    let found = later.into_iter().filter_map(|(id, at)| Some((id, at?)));
    found.collect()
}

/// The runs that entries end, in order; `None` for those that end none, or one that never began.
fn ended<'a>(
    entries: &'a [Entry],
    later: &HashMap<i64, (usize, &'a RunRow)>,
) -> Vec<Option<(At<'a>, &'a EntryEnd)>> {
    let ended = entries.iter().map(|entry| match entry {
        Entry::Run { row, end } => Some((At::of(row), end.as_ref()?)),
        Entry::End { id, end, begun } => {
            let row = later.get(id).map(|(_, row)| *row).or(begun.as_deref());
            Some((At::of(row?), end))
        }
        Entry::Event(_) => None,
    });
    let ended = ended.map(|ended| ended.filter(|(_, end)| end.is_over()));
    ended.collect()
}

/// The kinds of ended runs in order, and those that were not known.
async fn kinds_of(
    transaction: &mut Transaction<'_>,
    ended: &[Option<(At<'_>, &EntryEnd)>],
    known: &Kinds,
) -> Result<(Vec<i64>, Kinds), StoreError> {
    let kinds = ended.iter().map(|ended| {
        let (at, end) = (*ended)?;
        Some(RunKind::new(at, &end.end))
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

/// Writes a run that begins and ends among these entries as one row. Nothing if an entry is invalid: then none is written.
async fn write_together(
    writing: &mut Writing,
    host: i64,
    entries: &[Entry],
    known: &Kinds,
) -> Result<Option<Written>, StoreError> {
    let mut transaction = writing.begin().await?;
    let later = ended_later(entries);
    let runs = ended(entries, &later);
    let (kinds, new) = kinds_of(&mut transaction, &runs, known).await?;
    let mut changes = Changes::default();
    let mut rows: Vec<Row<'_>> = Vec::with_capacity(entries.len());
    let mut earlier = Vec::new();
    for ((entry, ended), kind) in entries.iter().zip(runs).zip(kinds) {
        match entry {
            Entry::Run { row, end } => {
                let end = end.as_ref().map(|end| End::new(end, kind));
                rows.push(Row { begun: row, end });
                changes.began(&row.session, row.turn, row.started_ms);
            }
            Entry::End { id, end, .. } => {
                let place = later.get(id).map(|(place, _)| *place);
                let end = End::new(end, kind);
                match place.and_then(|place| rows.get_mut(place)) {
                    Some(row) if row.is_over() => return Ok(None),
                    Some(row) => row.end = Some(end),
                    None => earlier.push((*id, end)),
                }
            }
            Entry::Event(row) => {
                if events::write(&mut transaction, host, row).await? == 0 {
                    return Ok(None);
                }
                changes.event(row);
            }
        }
        if let Some((at, end)) = ended {
            changes.ended(at, &end.end, end.at_ms);
        }
    }
    let count = rows.len();
    let added = transaction
        .insert(&RUNS, rows.iter(), |row, values| {
            row.add_values(host, values);
        })
        .await?;
    if added != count as u64 {
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

/// Writes one entry after the other, without those that are invalid.
async fn write_each(
    writing: &mut Writing,
    host: i64,
    entries: &[Entry],
    known: &Kinds,
) -> Result<Written, StoreError> {
    let mut transaction = writing.begin().await?;
    let runs = ended(entries, &ended_later(entries));
    let (kinds, new) = kinds_of(&mut transaction, &runs, known).await?;
    let mut refused = Vec::new();
    let mut changes = Changes::default();
    for ((entry, ended), kind) in entries.iter().zip(runs).zip(kinds) {
        let mut has_ended = true;
        match entry {
            Entry::Run { row, end } => {
                let of = Row {
                    begun: row,
                    end: end.as_ref().map(|end| End::new(end, kind)),
                };
                let insert = transaction.insert(&RUNS, std::iter::once(&of), |row, values| {
                    row.add_values(host, values);
                });
                if insert.await? == 0 {
                    refused.push(JournalError::BegunTwice { id: row.id });
                    if let Some(end) = of.end {
                        has_ended = self::end(&mut transaction, host, row.id, end).await? > 0;
                    }
                }
                changes.began(&row.session, row.turn, row.started_ms);
            }
            Entry::End { id, end, .. } => {
                let end = End::new(end, kind);
                has_ended = self::end(&mut transaction, host, *id, end).await? > 0;
                if !has_ended {
                    refused.push(JournalError::NotRunning { id: *id });
                }
            }
            Entry::Event(row) => {
                if events::write(&mut transaction, host, row).await? == 0 {
                    refused.push(JournalError::BegunTwice { id: row.id });
                }
                changes.event(row);
            }
        }
        if has_ended && let Some((at, end)) = ended {
            changes.ended(at, &end.end, end.at_ms);
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
    /// Whether the run has ended.
    fn is_over(&self) -> bool {
        self.end.is_some_and(|it| !it.end.state.is_open())
    }

    /// Adds the values of all columns.
    fn add_values(&self, host: i64, values: &mut Vec<Value<'a>>) {
        static OPEN: LazyLock<RunEnd> = LazyLock::new(|| RunEnd::of(RunState::Started));
        let Self { begun, end } = self;
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
        end.unwrap_or(open).add_values(values);
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
