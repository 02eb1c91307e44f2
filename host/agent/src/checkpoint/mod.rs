//! The store of suspended turns.
//!
//! A turn that waits for a person's approval or a client's tool is saved, and its process may end.
//! To resume the turn, its checkpoint is claimed first. Exactly one claimer gets it, so a turn is
//! never resumed twice.

mod error;
mod id;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use error::CheckpointError;
pub use id::{BadCheckpointId, CheckpointId};

/// A turn to suspend.
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
    /// The data needed to resume it.
    pub data: Value,
}

/// The facts about a checkpoint that can be read without claiming it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct CheckpointInfo {
    /// Its id.
    pub id: CheckpointId,
    /// When it was saved, in milliseconds since the Unix epoch.
    pub saved_ms: u64,
    /// When it was claimed, in milliseconds since the Unix epoch; `None` while it waits.
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

/// A claimed checkpoint. Only its claimer resumes the turn.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint {
    /// The facts about it.
    pub info: CheckpointInfo,
    /// The data needed to resume it.
    pub data: Value,
}

/// A store of checkpoints.
#[async_trait]
pub trait CheckpointStore: Send + Sync {
    /// Saves a suspended turn. It is durable when this returns.
    ///
    /// # Errors
    ///
    /// The store failed.
    async fn save(&self, new: NewCheckpoint) -> Result<CheckpointId, CheckpointError>;

    /// Claims a waiting checkpoint. Of all claimers in all processes exactly one succeeds. Discard
    /// the checkpoint once the turn was resumed.
    ///
    /// # Errors
    ///
    /// It is unknown, claimed or damaged, or the store failed.
    async fn claim(&self, id: &CheckpointId) -> Result<Checkpoint, CheckpointError>;

    /// Releases a claimed checkpoint, if its turn could not be resumed. Does nothing to a waiting
    /// one.
    ///
    /// # Errors
    ///
    /// It is unknown, or the store failed.
    async fn release(&self, id: &CheckpointId) -> Result<(), CheckpointError>;

    /// The waiting checkpoints, of one session or of all, oldest first.
    ///
    /// # Errors
    ///
    /// The store failed, or a checkpoint's facts are damaged.
    async fn list(&self, session: Option<&str>) -> Result<Vec<CheckpointInfo>, CheckpointError>;

    /// The claimed checkpoints that were neither released nor discarded, oldest first. Their turns
    /// are running, or the process that resumed them is dead. No host resumes such a checkpoint
    /// automatically, because its tools may have run: release it to resume the turn from there
    /// again, or discard it. If the session has a younger checkpoint, the turn has reached that
    /// one. A sub-agent's turn is resumed with its parent's, so release only the parent's
    /// checkpoint.
    ///
    /// # Errors
    ///
    /// The store failed, or a checkpoint's facts are damaged.
    async fn claimed(&self) -> Result<Vec<CheckpointInfo>, CheckpointError>;

    /// Removes a checkpoint, waiting or claimed.
    ///
    /// # Errors
    ///
    /// It is unknown, or the store failed.
    async fn discard(&self, id: &CheckpointId) -> Result<(), CheckpointError>;
}
