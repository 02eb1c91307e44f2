//! A row of the table of checkpoints.

use rusqlite::Row;

use crate::checkpoint::{CheckpointError, CheckpointId, CheckpointInfo, ClaimedBy};

/// The columns of a row.
pub(super) const COLUMNS: &str = "id, saved_ms, session, agent, turn, reason, pending, resolutions, \
                                  of_subagent, claimed_ms, claimed_process, claimed_host";

/// A row of the table.
pub(super) struct Raw {
    id: String,
    saved_ms: i64,
    session: String,
    agent: String,
    turn: u32,
    reason: String,
    pending: String,
    resolutions: String,
    of_subagent: bool,
    claimed_ms: Option<i64>,
    claimed_process: Option<u32>,
    claimed_host: Option<String>,
}

impl Raw {
    pub(super) fn of(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get("id")?,
            saved_ms: row.get("saved_ms")?,
            session: row.get("session")?,
            agent: row.get("agent")?,
            turn: row.get("turn")?,
            reason: row.get("reason")?,
            pending: row.get("pending")?,
            resolutions: row.get("resolutions")?,
            of_subagent: row.get("of_subagent")?,
            claimed_ms: row.get("claimed_ms")?,
            claimed_process: row.get("claimed_process")?,
            claimed_host: row.get("claimed_host")?,
        })
    }

    pub(super) fn checked(self) -> Result<CheckpointInfo, CheckpointError> {
        let id: CheckpointId = self
            .id
            .parse()
            .map_err(|e| CheckpointError::Store(format!("{e}")))?;
        let pending =
            serde_json::from_str(&self.pending).map_err(|e| damaged(&id, "pending calls", &e))?;
        let resolutions =
            serde_json::from_str(&self.resolutions).map_err(|e| damaged(&id, "resolutions", &e))?;
        Ok(CheckpointInfo {
            id,
            saved_ms: self.saved_ms.unsigned_abs(),
            claim: self.claimed_ms.map(|at_ms| ClaimedBy {
                at_ms: at_ms.unsigned_abs(),
                process: self.claimed_process.unwrap_or_default(),
                host: self.claimed_host.unwrap_or_default(),
            }),
            session: self.session,
            agent: self.agent,
            turn: self.turn,
            reason: self.reason,
            pending,
            resolutions,
            of_subagent: self.of_subagent,
        })
    }
}

pub(super) fn damaged(id: &CheckpointId, what: &str, error: &serde_json::Error) -> CheckpointError {
    CheckpointError::Damaged {
        id: id.clone(),
        cause: format!("its {what}: {error}"),
    }
}
