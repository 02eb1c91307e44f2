//! The table of checkpoints.

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension as _, Params, TransactionBehavior, params};
use serde::Serialize;

use super::row::{COLUMNS, Raw, damaged};
use crate::basics::database::{Schema, signed};
use crate::basics::units::now_ms;
use crate::checkpoint::{
    Checkpoint, CheckpointError, CheckpointId, CheckpointInfo, ClaimedBy, NewCheckpoint,
    Resolution, check,
};

pub(super) const SCHEMA: Schema = Schema {
    application_id: 0x5043_4331,
    version: 2,
    create: "
        CREATE TABLE checkpoints (
            seq INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            saved_ms INTEGER NOT NULL,
            claimed_ms INTEGER,
            claimed_process INTEGER,
            claimed_host TEXT,
            session TEXT NOT NULL,
            agent TEXT NOT NULL,
            turn INTEGER NOT NULL,
            reason TEXT NOT NULL,
            pending TEXT NOT NULL,
            resolutions TEXT NOT NULL,
            of_subagent INTEGER NOT NULL,
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
        "INSERT INTO checkpoints
             (id, saved_ms, session, agent, turn, reason, pending, resolutions, of_subagent, data)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, '{}', ?8, ?9)",
        params![
            id.as_str(),
            signed(saved_ms),
            new.session,
            new.agent,
            new.turn,
            new.reason,
            json(&new.pending)?,
            new.of_subagent,
            new.data.to_string(),
        ],
    )?;
    Ok(id)
}

pub(super) fn resolve(
    connection: &mut Connection,
    id: &CheckpointId,
    resolutions: BTreeMap<String, Resolution>,
) -> Result<(), CheckpointError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut info = get(&transaction, id)?;
    not_claimed(&mut info)?;
    check(&info.pending, &resolutions).map_err(|cause| CheckpointError::Resolutions {
        id: id.clone(),
        cause,
    })?;
    info.resolutions.extend(resolutions);
    transaction.execute(
        "UPDATE checkpoints SET resolutions = ?2 WHERE id = ?1",
        params![id.as_str(), json(&info.resolutions)?],
    )?;
    Ok(transaction.commit()?)
}

pub(super) fn get(
    connection: &Connection,
    id: &CheckpointId,
) -> Result<CheckpointInfo, CheckpointError> {
    let found = select(connection, "id = ?1", [id.as_str()])?;
    let found = found.into_iter().next();
    found.ok_or_else(|| CheckpointError::Unknown(id.clone()))
}

pub(super) fn claim(
    connection: &mut Connection,
    id: &CheckpointId,
) -> Result<Checkpoint, CheckpointError> {
    // Immediate, so that every claimer sees what the claimers before it did. An error rolls it
    // back, so that a damaged checkpoint still waits.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut info = get(&transaction, id)?;
    not_claimed(&mut info)?;
    let data: Option<String> = transaction
        .query_row(
            "SELECT data FROM checkpoints WHERE id = ?1",
            [id.as_str()],
            |row| row.get(0),
        )
        .optional()?;
    let data = data.ok_or_else(|| CheckpointError::Unknown(id.clone()))?;
    let data = serde_json::from_str(&data).map_err(|e| damaged(id, "data", &e))?;
    let by = ClaimedBy::this_process();
    transaction.execute(
        "UPDATE checkpoints SET claimed_ms = ?2, claimed_process = ?3, claimed_host = ?4
         WHERE id = ?1",
        params![id.as_str(), signed(by.at_ms), by.process, by.host],
    )?;
    transaction.commit()?;
    info.claim = Some(by);
    Ok(Checkpoint { info, data })
}

fn not_claimed(info: &mut CheckpointInfo) -> Result<(), CheckpointError> {
    match info.claim.take() {
        Some(by) => Err(CheckpointError::AlreadyClaimed {
            id: info.id.clone(),
            by,
        }),
        None => Ok(()),
    }
}

fn json(value: &impl Serialize) -> Result<String, CheckpointError> {
    serde_json::to_string(value).map_err(|e| CheckpointError::Store(e.to_string()))
}

pub(super) fn release(connection: &Connection, id: &CheckpointId) -> Result<(), CheckpointError> {
    let sql = "UPDATE checkpoints
               SET claimed_ms = NULL, claimed_process = NULL, claimed_host = NULL WHERE id = ?1";
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
