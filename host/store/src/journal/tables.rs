//! Writing records.

use std::collections::HashMap;

use portcullis::hooks::Mode;
use portcullis_agent::{EventRow, RunEnd, RunRow};
use sqlx::{Any, Transaction};

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

/// Writes records in one transaction. `known` are the ids of kinds.
pub(super) async fn write(
    database: &Database,
    host: i64,
    records: &[Record],
    known: &HashMap<RunKind, i64>,
) -> Result<Written, StoreError> {
    let mut transaction = database.write().await?;
    let kind = |record: &Record| match record {
        Record::End { at, end, .. } => at.as_ref().map(|at| RunKind::new(at, end)),
        _ => None,
    };
    let new = records.iter().filter_map(kind);
    let new = new.filter(|kind| !known.contains_key(kind)).collect();
    let kinds = kinds::ids(&mut transaction, new).await?;
    let mut refused = Vec::new();
    let mut changes = Changes::default();
    for record in records {
        match record {
            Record::Begin(row) => {
                if begin(&mut transaction, host, row).await? == 0 {
                    refused.push(JournalError::BegunTwice { id: row.id });
                }
                changes.began(&row.session, row.turn, row.started_ms);
            }
            Record::End { id, at_ms, end, at } => {
                let kind = kind(record);
                let kind = kind.and_then(|kind| known.get(&kind).or_else(|| kinds.get(&kind)));
                let kind = kind.copied().unwrap_or_default();
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
    Ok(Written { refused, kinds })
}

async fn begin(
    transaction: &mut Transaction<'static, Any>,
    host: i64,
    row: &RunRow,
) -> Result<u64, StoreError> {
    let sql = "INSERT INTO runs (host, id, session, turn, step, point, hook, attempt, component,
                                 input, started_ms, call_id)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
               ON CONFLICT (host, id) DO NOTHING";
    let insert = sqlx::query(sql)
        .bind(host)
        .bind(row.id)
        .bind(storable(&row.session))
        .bind(i64::from(row.turn))
        .bind(i64::from(row.step))
        .bind(row.point.as_str())
        .bind(storable(&row.hook))
        .bind(i64::from(row.attempt))
        .bind(row.component.as_deref())
        .bind(row.input.as_deref())
        .bind(signed(row.started_ms))
        .bind(row.call_id.as_deref().map(storable));
    Ok(insert.execute(&mut **transaction).await?.rows_affected())
}

async fn end(
    transaction: &mut Transaction<'static, Any>,
    host: i64,
    id: i64,
    at_ms: u64,
    end: &RunEnd,
    kind: i64,
) -> Result<u64, StoreError> {
    let sql = "UPDATE runs SET state = $3, ended_ms = $4, outcome = $5, latency_us = $6, fuel = $7,
                               cause = $8, message = $9, contributions = $10, before = $11,
                               after = $12, fatal = $13, mode = $14, code = $15,
                               restarted = $16, used = $17, changes = $18, memory = $19,
                               kind = $20
               WHERE host = $1 AND id = $2 AND state IN ('started', 'backgrounded')";
    let ended_ms = (!end.state.is_open()).then(|| signed(at_ms));
    let contributions = serde_json::Value::from(end.contributions.as_slice()).to_string();
    let update = sqlx::query(sql)
        .bind(host)
        .bind(id)
        .bind(end.state.code())
        .bind(ended_ms)
        .bind(end.outcome.as_deref())
        .bind(end.latency_us.map(signed))
        .bind(end.fuel.map(signed))
        .bind(end.cause.as_deref())
        .bind(end.message.as_deref().map(storable))
        .bind(contributions)
        .bind(end.before.as_deref())
        .bind(end.after.as_deref())
        .bind(i64::from(end.fatal))
        .bind(end.mode.map(Mode::name))
        .bind(end.code.as_deref().map(storable))
        .bind(i64::from(end.restarted))
        .bind(
            end.used
                .as_deref()
                .map(|used| serde_json::Value::from(used).to_string()),
        )
        .bind(end.changes.as_ref().map(|changes| storable(&json(changes))))
        .bind(end.memory.map(signed))
        .bind(kind);
    Ok(update.execute(&mut **transaction).await?.rows_affected())
}

fn json(value: impl serde::Serialize) -> String {
    serde_json::to_string(&value).unwrap_or_default()
}
