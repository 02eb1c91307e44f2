//! Writing records.

use std::collections::HashMap;

use portcullis::hooks::Mode;
use portcullis_agent::{EventRow, RunEnd, RunRow, RunState};
use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, AssertSqlSafe, Transaction};

use super::kinds::{self, At, RunKind};
use super::sessions::Changes;
use super::{JournalError, events};
use crate::database::{Database, signed, storable};
use crate::error::StoreError;

/// A record to write.
#[derive(Debug)]
pub(super) enum Record {
    Begin(Box<RunRow>),
    End {
        id: i64,
        at_ms: u64,
        end: Box<RunEnd>,
        /// `None` if the run has not ended, or never began.
        at: Option<At>,
    },
    Event(Box<EventRow>),
}

/// The result of a transaction.
#[derive(Default)]
pub(super) struct Written {
    /// The invalid records.
    pub(super) refused: Vec<JournalError>,
    /// The ids of kinds that were not known.
    pub(super) kinds: HashMap<RunKind, i64>,
}

/// The most runs of one statement.
const ROWS: usize = 32;

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
    database: &Database,
    host: i64,
    records: &[Record],
    known: &HashMap<RunKind, i64>,
) -> Result<Written, StoreError> {
    match write_together(database, host, records, known).await? {
        Some(written) => Ok(written),
        None => write_each(database, host, records, known).await,
    }
}

/// The kinds of records in order; `None` for those that have none.
async fn kinds_of(
    transaction: &mut Transaction<'static, Any>,
    records: &[Record],
    known: &HashMap<RunKind, i64>,
) -> Result<(Vec<i64>, HashMap<RunKind, i64>), StoreError> {
    let kind = |record: &Record| match record {
        Record::End { at, end, .. } => at.as_ref().map(|at| RunKind::new(at, end)),
        _ => None,
    };
    let kinds: Vec<Option<RunKind>> = records.iter().map(kind).collect();
    let new = kinds
        .iter()
        .flatten()
        .filter(|kind| !known.contains_key(kind));
    let new = kinds::ids(transaction, new.cloned().collect()).await?;
    let id = |kind: &RunKind| known.get(kind).or_else(|| new.get(kind)).copied();
    let ids = kinds.iter().map(|kind| kind.as_ref().and_then(id));
    Ok((ids.map(Option::unwrap_or_default).collect(), new))
}

/// Writes a run that begins and ends among these records as one row, and many rows at once. Nothing if a record is
/// invalid: then none is written.
async fn write_together(
    database: &Database,
    host: i64,
    records: &[Record],
    known: &HashMap<RunKind, i64>,
) -> Result<Option<Written>, StoreError> {
    let mut transaction = database.write().await?;
    let (kinds, new) = kinds_of(&mut transaction, records, known).await?;
    let mut changes = Changes::default();
    let (mut rows, mut places): (Vec<Row<'_>>, HashMap<i64, usize>) = Default::default();
    let mut earlier = Vec::new();
    for (record, kind) in records.iter().zip(kinds) {
        match record {
            Record::Begin(begun) => {
                if places.insert(begun.id, rows.len()).is_some() {
                    return Ok(None);
                }
                rows.push(Row { begun, end: None });
                changes.began(&begun.session, begun.turn, begun.started_ms);
            }
            Record::End { id, at_ms, end, at } => {
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
                at.iter().for_each(|at| changes.ended(at, end, *at_ms));
            }
            Record::Event(row) => {
                if events::write(&mut transaction, host, row).await? == 0 {
                    return Ok(None);
                }
                changes.event(row);
            }
        }
    }
    for rows in rows.chunks(ROWS) {
        if insert(&mut transaction, host, rows).await? != rows.len() as u64 {
            return Ok(None);
        }
    }
    for (id, ended) in earlier {
        let End { at_ms, end, kind } = ended;
        if self::end(&mut transaction, host, id, at_ms, end, kind).await? == 0 {
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
    database: &Database,
    host: i64,
    records: &[Record],
    known: &HashMap<RunKind, i64>,
) -> Result<Written, StoreError> {
    let mut transaction = database.write().await?;
    let (kinds, new) = kinds_of(&mut transaction, records, known).await?;
    let mut refused = Vec::new();
    let mut changes = Changes::default();
    for (record, kind) in records.iter().zip(kinds) {
        match record {
            Record::Begin(begun) => {
                let row = Row { begun, end: None };
                if insert(&mut transaction, host, &[row]).await? == 0 {
                    refused.push(JournalError::BegunTwice { id: begun.id });
                }
                changes.began(&begun.session, begun.turn, begun.started_ms);
            }
            Record::End { id, at_ms, end, at } => {
                match self::end(&mut transaction, host, *id, *at_ms, end, kind).await? {
                    0 => refused.push(JournalError::NotRunning { id: *id }),
                    _ => at.iter().for_each(|at| changes.ended(at, end, *at_ms)),
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

/// The columns of a run when it begins.
const BEGUN: [&str; 12] = [
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
];

/// The columns of a run when it ends.
const ENDED: [&str; 19] = [
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

/// Adds rows. Gives how many were added: those whose ids are there are not.
async fn insert(
    transaction: &mut Transaction<'static, Any>,
    host: i64,
    rows: &[Row<'_>],
) -> Result<u64, StoreError> {
    let columns: Vec<&str> = BEGUN.into_iter().chain(ENDED).collect();
    let width = columns.len();
    let values = (0..rows.len()).map(|row| {
        let places = (1..=width).map(|column| format!("${}", row * width + column));
        format!("({})", places.collect::<Vec<_>>().join(", "))
    });
    let sql = format!(
        "INSERT INTO runs ({}) VALUES {} ON CONFLICT (host, id) DO NOTHING",
        columns.join(", "),
        values.collect::<Vec<_>>().join(", ")
    );
    let mut insert = sqlx::query(AssertSqlSafe(sql));
    let open = RunEnd::of(RunState::Started);
    for Row { begun, end } in rows {
        insert = insert
            .bind(host)
            .bind(begun.id)
            .bind(storable(&begun.session))
            .bind(i64::from(begun.turn))
            .bind(i64::from(begun.step))
            .bind(begun.point.as_str())
            .bind(storable(&begun.hook))
            .bind(i64::from(begun.attempt))
            .bind(begun.component.as_deref())
            .bind(begun.input.as_deref())
            .bind(signed(begun.started_ms))
            .bind(begun.call_id.as_deref().map(storable));
        insert = bind_end(
            insert,
            end.unwrap_or(End {
                at_ms: 0,
                end: &open,
                kind: 0,
            }),
        );
    }
    Ok(insert.execute(&mut **transaction).await?.rows_affected())
}

/// Ends a run that began in an earlier transaction. Gives whether there was one.
async fn end(
    transaction: &mut Transaction<'static, Any>,
    host: i64,
    id: i64,
    at_ms: u64,
    end: &RunEnd,
    kind: i64,
) -> Result<u64, StoreError> {
    let set = ENDED.iter().zip(3..);
    let set = set.map(|(column, place)| format!("{column} = ${place}"));
    let sql = format!(
        "UPDATE runs SET {}
         WHERE host = $1 AND id = $2 AND state IN ('started', 'backgrounded')",
        set.collect::<Vec<_>>().join(", ")
    );
    let update = sqlx::query(AssertSqlSafe(sql)).bind(host).bind(id);
    let update = bind_end(update, End { at_ms, end, kind });
    Ok(update.execute(&mut **transaction).await?.rows_affected())
}

/// Gives a statement the values of the columns of a run that ends.
fn bind_end<'q>(
    query: Query<'q, Any, AnyArguments>,
    End { at_ms, end, kind }: End<'q>,
) -> Query<'q, Any, AnyArguments> {
    let ended_ms = (!end.state.is_open()).then(|| signed(at_ms));
    query
        .bind(end.state.code())
        .bind(ended_ms)
        .bind(end.outcome.as_deref())
        .bind(end.latency_us.map(signed))
        .bind(end.fuel.map(signed))
        .bind(end.cause.as_deref())
        .bind(end.message.as_deref().map(storable))
        .bind(list(&end.contributions))
        .bind(end.before.as_deref())
        .bind(end.after.as_deref())
        .bind(i64::from(end.fatal))
        .bind(end.mode.map(Mode::name))
        .bind(end.code.as_deref().map(storable))
        .bind(i64::from(end.restarted))
        .bind(end.used.as_deref().map(list))
        .bind(end.changes.as_ref().map(|changes| storable(&json(changes))))
        .bind(end.memory.map(signed))
        .bind(kind)
        .bind(end.would.as_ref().map(|would| storable(&json(would))))
}

/// A list as JSON. Nearly every one is empty.
fn list(texts: &[String]) -> String {
    match texts {
        [] => "[]".to_owned(),
        texts => json(texts),
    }
}

fn json(value: impl serde::Serialize) -> String {
    serde_json::to_string(&value).unwrap_or_default()
}
