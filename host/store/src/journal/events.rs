//! Agent events between hook runs.

use portcullis_agent::{EventRow, JournalEvent};
use serde_json::Value;
use sqlx::Row as _;

use crate::database::{Database, narrow, signed, storable};
use crate::error::StoreError;
use crate::sql::without_nul;
use crate::writing::Transaction;

/// An agent event, with the host that the agent ran in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedEvent {
    /// The host: one opening of the journal by one process.
    pub host: i64,
    /// The event.
    pub row: EventRow,
}

/// Writes an event. Equal lists of sessions' hooks are written once.
pub(super) async fn write(
    transaction: &mut Transaction<'_>,
    host: i64,
    row: &EventRow,
) -> Result<u64, StoreError> {
    let mut data = serde_json::to_value(&row.event).map_err(|e| damaged(&e))?;
    let hooks = data.as_object_mut().and_then(|event| event.remove("hooks"));
    let hooks = hooks.map(|hooks| hooks.to_string());
    let digest = hooks
        .as_ref()
        .map(|hooks| portcullis::verdict::Digest::of(hooks.as_bytes()).to_string());
    if let (Some(hooks), Some(digest)) = (&hooks, &digest) {
        let sql =
            "INSERT INTO hook_sets (digest, data) VALUES ($1, $2) ON CONFLICT (digest) DO NOTHING";
        let values = [digest.as_str().into(), without_nul(hooks).into()];
        transaction.execute(sql, &values).await?;
    }
    let sql = "INSERT INTO events (host, id, session, turn, step, at_ms, data, hooks)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (host, id) DO NOTHING";
    let data = data.to_string();
    let values = [
        host.into(),
        row.id.into(),
        without_nul(&row.session).into(),
        row.turn.into(),
        row.step.into(),
        signed(row.at_ms).into(),
        without_nul(&data).into(),
        digest.as_deref().into(),
    ];
    transaction.execute(sql, &values).await
}

/// Returns the events of a session, grouped by host and in order.
pub(super) async fn events(
    database: &Database,
    session: &str,
) -> Result<Vec<RecordedEvent>, StoreError> {
    let sql = "SELECT events.host, events.id, turn, step, at_ms, events.data, hook_sets.data
               FROM events LEFT JOIN hook_sets ON hook_sets.digest = events.hooks
               WHERE session = $1 ORDER BY events.host, events.id";
    let select = sqlx::query(sql).bind(storable(session));
    let rows = select.fetch_all(database.pool()).await?;
    let event = |row: &sqlx::any::AnyRow| {
        let text: String = row.try_get(5)?;
        let mut data: Value = serde_json::from_str(&text).map_err(|e| damaged(&e))?;
        let hooks: Option<String> = row.try_get(6)?;
        if let (Some(hooks), Value::Object(fields)) = (hooks, &mut data) {
            let hooks = serde_json::from_str(&hooks).map_err(|e| damaged(&e))?;
            fields.insert("hooks".to_owned(), hooks);
        }
        let event: JournalEvent = serde_json::from_value(data).map_err(|e| damaged(&e))?;
        Ok(RecordedEvent {
            host: row.try_get(0)?,
            row: EventRow {
                id: row.try_get(1)?,
                session: session.to_owned(),
                turn: narrow(row.try_get(2)?),
                step: narrow(row.try_get(3)?),
                at_ms: row.try_get::<i64, _>(4)?.unsigned_abs(),
                event,
            },
        })
    };
    rows.iter().map(event).collect()
}

/// Parses an event, without the hooks of its session.
pub(super) fn event(data: &str) -> Result<JournalEvent, StoreError> {
    serde_json::from_str(data).map_err(|e| damaged(&e))
}

fn damaged(error: &serde_json::Error) -> StoreError {
    StoreError::Database(format!("the journal's events are damaged: {error}"))
}
