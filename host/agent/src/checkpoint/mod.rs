//! Where suspended turns wait to be resumed.
//!
//! A turn that has to wait for something from outside (a person's approval, a client's tool) is
//! saved and its process may end. Whoever resumes it claims its checkpoint first, and exactly one
//! claimer ever gets it, so that a turn never goes on twice.

mod error;
mod id;
mod sqlite;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use error::CheckpointError;
pub use id::{BadCheckpointId, CheckpointId};
pub use sqlite::SqliteCheckpoints;

/// A turn that is being suspended.
#[derive(Debug, Clone, PartialEq)]
pub struct NewCheckpoint {
    /// The session.
    pub session: String,
    /// The agent.
    pub agent: String,
    /// The turn, counted from 1.
    pub turn: u32,
    /// Why it waits.
    pub reason: String,
    /// The ids of the calls it waits for.
    pub pending: Vec<String>,
    /// What resuming it needs.
    pub data: Value,
}

/// What is known of a checkpoint without claiming it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct CheckpointInfo {
    /// Its id.
    pub id: CheckpointId,
    /// When it was saved, in milliseconds since the Unix epoch.
    pub saved_ms: u64,
    /// When it was claimed, in milliseconds since the Unix epoch; nothing while it waits.
    pub claimed_ms: Option<u64>,
    /// The session.
    pub session: String,
    /// The agent.
    pub agent: String,
    /// The turn, counted from 1.
    pub turn: u32,
    /// Why it waits.
    pub reason: String,
    /// The ids of the calls it waits for.
    pub pending: Vec<String>,
}

/// A claimed checkpoint: the claimer, and nobody else, goes on with the turn.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint {
    /// What was known before.
    pub info: CheckpointInfo,
    /// What resuming it needs.
    pub data: Value,
}

/// A store of checkpoints.
#[async_trait]
pub trait CheckpointStore: Send + Sync {
    /// Keeps a suspended turn. It is durable when this returns.
    ///
    /// # Errors
    ///
    /// The store failed.
    async fn save(&self, new: NewCheckpoint) -> Result<CheckpointId, CheckpointError>;

    /// Takes a waiting checkpoint. Of all claimers, in all processes, exactly one succeeds. Discard
    /// it when the turn has gone on.
    ///
    /// # Errors
    ///
    /// It is unknown, claimed or damaged, or the store failed.
    async fn claim(&self, id: &CheckpointId) -> Result<Checkpoint, CheckpointError>;

    /// Puts a claimed checkpoint back, if resuming it failed before it began. A waiting one is left
    /// as it is.
    ///
    /// # Errors
    ///
    /// It is unknown, or the store failed.
    async fn release(&self, id: &CheckpointId) -> Result<(), CheckpointError>;

    /// The waiting checkpoints, of one session or of all, oldest first.
    ///
    /// # Errors
    ///
    /// The store failed, or what it says of a checkpoint is damaged.
    async fn list(&self, session: Option<&str>) -> Result<Vec<CheckpointInfo>, CheckpointError>;

    /// The claimed checkpoints that nobody has released or discarded, oldest first. Their turns are
    /// going on right now, or the process that resumed them is dead. No host resumes such a one by
    /// itself, since its tools may have run: release it to have the turn go on from there once more,
    /// or discard it. If the session has a younger checkpoint, the turn has gone on to that. A
    /// sub-agent's goes on with its parent's: only that one is to be released.
    ///
    /// # Errors
    ///
    /// The store failed, or what it says of a checkpoint is damaged.
    async fn claimed(&self) -> Result<Vec<CheckpointInfo>, CheckpointError>;

    /// Removes a checkpoint, waiting or claimed.
    ///
    /// # Errors
    ///
    /// It is unknown, or the store failed.
    async fn discard(&self, id: &CheckpointId) -> Result<(), CheckpointError>;
}
