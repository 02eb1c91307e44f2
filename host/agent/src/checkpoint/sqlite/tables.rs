//! The table of checkpoints.

use rusqlite::{Connection, OptionalExtension as _, Params, Row, TransactionBehavior, params};
use serde_json::Value;

use crate::basics::database::{Schema, signed};
use crate::basics::units::now_ms;
use crate::checkpoint::{Checkpoint, CheckpointError, CheckpointId, CheckpointInfo, NewCheckpoint};

pub(super) const SCHEMA: Schema = Schema {
    application_id: 0x5043_4331,
    version: 1,
    create: "
        CREATE TABLE checkpoints (
            seq INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            saved_ms INTEGER NOT NULL,
            claimed_ms INTEGER,
            session TEXT NOT NULL,
            agent TEXT NOT NULL,
            turn INTEGER NOT NULL,
            reason TEXT NOT NULL,
            pending TEXT NOT NULL,
            data TEXT NOT NULL
        );
        CREATE INDEX checkpoints_waiting ON checkpoints (session) WHERE claimed_ms IS NULL;
    ",
};

pub(super) fn save(
    connection: &Connection,
    new: &NewCheckpoint,
) -> Result<CheckpointId, CheckpointError> {
    let saved_ms = now_ms();
    let random = connection.query_row("SELECT randomblob(16)", [], |row| row.get(0))?;
    let id = CheckpointId::new(saved_ms, random);
    connection.execute(
        "INSERT INTO checkpoints (id, saved_ms, session, agent, turn, reason, pending, data)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![
            id.as_str(),
            signed(saved_ms),
            new.session,
            new.agent,
            new.turn,
            new.reason,
            Value::from(new.pending.as_slice()).to_string(),
            new.data.to_string(),
        ],
    )?;
    Ok(id)
}

pub(super) fn claim(
    connection: &mut Connection,
    id: &CheckpointId,
) -> Result<Checkpoint, CheckpointError> {
    // Immediate, so that every claimer sees what the claimers before it did. An error rolls it
    // back, so that a damaged checkpoint still waits.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let (raw, data) = transaction
        .query_row(
            &format!("SELECT {COLUMNS}, data FROM checkpoints WHERE id = ?1"),
            [id.as_str()],
            |row| {
                let data: String = row.get("data")?;
                Ok((Raw::of(row)?, data))
            },
        )
        .optional()?
        .ok_or_else(|| CheckpointError::Unknown(id.clone()))?;
    if let Some(at_ms) = raw.claimed_ms {
        return Err(CheckpointError::AlreadyClaimed {
            id: id.clone(),
            at_ms: at_ms.unsigned_abs(),
        });
    }
    let info = raw.checked()?;
    let data = serde_json::from_str(&data).map_err(|e| damaged(id, "data", &e))?;
    transaction.execute(
        "UPDATE checkpoints SET claimed_ms = ?2 WHERE id = ?1",
        params![id.as_str(), signed(now_ms())],
    )?;
    transaction.commit()?;
    Ok(Checkpoint { info, data })
}

pub(super) fn release(connection: &Connection, id: &CheckpointId) -> Result<(), CheckpointError> {
    let sql = "UPDATE checkpoints SET claimed_ms = NULL WHERE id = ?1";
    known(id, connection.execute(sql, [id.as_str()])?)
}

pub(super) fn discard(connection: &Connection, id: &CheckpointId) -> Result<(), CheckpointError> {
    let sql = "DELETE FROM checkpoints WHERE id = ?1";
    known(id, connection.execute(sql, [id.as_str()])?)
}

fn known(id: &CheckpointId, changed: usize) -> Result<(), CheckpointError> {
    match changed {
        0 => Err(CheckpointError::Unknown(id.clone())),
        _ => Ok(()),
    }
}

/// The waiting checkpoints, of one session or of all.
pub(super) fn list(
    connection: &Connection,
    session: Option<&str>,
) -> Result<Vec<CheckpointInfo>, CheckpointError> {
    let waiting = "claimed_ms IS NULL AND (?1 IS NULL OR session = ?1)";
    select(connection, waiting, [session])
}

pub(super) fn claimed(connection: &Connection) -> Result<Vec<CheckpointInfo>, CheckpointError> {
    select(connection, "claimed_ms IS NOT NULL", [])
}

fn select(
    connection: &Connection,
    condition: &str,
    params: impl Params,
) -> Result<Vec<CheckpointInfo>, CheckpointError> {
    let sql = format!("SELECT {COLUMNS} FROM checkpoints WHERE {condition} ORDER BY saved_ms, seq");
    let raw: Vec<Raw> = connection
        .prepare_cached(&sql)?
        .query_map(params, Raw::of)?
        .collect::<rusqlite::Result<_>>()?;
    raw.into_iter().map(Raw::checked).collect()
}

const COLUMNS: &str = "id, saved_ms, session, agent, turn, reason, pending, claimed_ms";

/// A row of the table.
struct Raw {
    id: String,
    saved_ms: i64,
    session: String,
    agent: String,
    turn: u32,
    reason: String,
    pending: String,
    claimed_ms: Option<i64>,
}

impl Raw {
    fn of(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get("id")?,
            saved_ms: row.get("saved_ms")?,
            session: row.get("session")?,
            agent: row.get("agent")?,
            turn: row.get("turn")?,
            reason: row.get("reason")?,
            pending: row.get("pending")?,
            claimed_ms: row.get("claimed_ms")?,
        })
    }

    fn checked(self) -> Result<CheckpointInfo, CheckpointError> {
        let id: CheckpointId = self
            .id
            .parse()
            .map_err(|e| CheckpointError::Store(format!("{e}")))?;
        let pending =
            serde_json::from_str(&self.pending).map_err(|e| damaged(&id, "pending calls", &e))?;
        Ok(CheckpointInfo {
            id,
            saved_ms: self.saved_ms.unsigned_abs(),
            claimed_ms: self.claimed_ms.map(i64::unsigned_abs),
            session: self.session,
            agent: self.agent,
            turn: self.turn,
            reason: self.reason,
            pending,
        })
    }
}

fn damaged(id: &CheckpointId, what: &str, error: &serde_json::Error) -> CheckpointError {
    CheckpointError::Damaged {
        id: id.clone(),
        cause: format!("its {what}: {error}"),
    }
}
