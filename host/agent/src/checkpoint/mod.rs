//! The store of suspended turns.
//!
//! A turn that waits for a person's approval or a client's tool is saved, and its process may end.
//! To resume the turn, its checkpoint is claimed first. Exactly one claimer gets it, so a turn is
//! never resumed twice.

mod answer;
mod claim;
mod error;
mod id;
mod pending;
mod resolution;

use std::collections::BTreeMap;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::basics::output::ToolOutput;

pub use answer::{AnsweredBy, Answerer};
pub use claim::{ClaimedBy, ProcessState};
pub use error::CheckpointError;
pub use id::{BadCheckpointId, CheckpointId};
pub(crate) use pending::check;
pub use pending::{HookQuestion, PendingCall, Question, Wanted};
pub use resolution::Resolution;

/// The reason for denying a question that was not answered in time.
pub const NO_ANSWER: &str = "no answer came in time";

/// A turn to suspend.
#[derive(Debug, Clone, PartialEq)]
pub struct NewCheckpoint {
    /// The session.
    pub session: String,
    /// The session of the outermost agent. It differs from [`NewCheckpoint::session`] if the turn
    /// is a sub-agent's. The checkpoint is deleted with this session.
    pub root_session: String,
    /// The agent.
    pub agent: String,
    /// The turn, counted from 1.
    pub turn: u32,
    /// The reason for waiting.
    pub reason: String,
    /// The calls that the turn waits for.
    pub pending: Vec<PendingCall>,
    /// Whether the turn is a sub-agent's, which is resumed with its parent's.
    pub of_subagent: bool,
    /// The time after which calls without an answer are denied, in milliseconds since the Unix
    /// epoch. `None`: never.
    pub until_ms: Option<u64>,
    /// The data needed to resume it.
    pub data: Value,
}

/// The facts about a checkpoint that can be read without claiming it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct CheckpointInfo {
    /// Its id.
    pub id: CheckpointId,
    /// The time at which it was saved, in milliseconds since the Unix epoch.
    pub saved_ms: u64,
    /// The process that claimed it; `None` while it waits.
    pub claim: Option<ClaimedBy>,
    /// The session.
    pub session: String,
    /// The agent.
    pub agent: String,
    /// The turn, counted from 1.
    pub turn: u32,
    /// The reason for waiting.
    pub reason: String,
    /// The calls that the turn waits for.
    pub pending: Vec<PendingCall>,
    /// The recorded resolutions, by call id: see [`CheckpointStore::resolve`].
    pub resolutions: BTreeMap<String, Resolution>,
    /// The answerers, by call id.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub answered: BTreeMap<String, AnsweredBy>,
    /// The time after which calls without an answer are denied, in milliseconds since the Unix
    /// epoch. `None`: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_ms: Option<u64>,
    /// Whether the turn is a sub-agent's, which is resumed with its parent's.
    pub of_subagent: bool,
}

impl CheckpointInfo {
    /// Returns whether all calls have a resolution, so that the turn can be resumed without being
    /// suspended again for one of them.
    pub fn is_resolved(&self) -> bool {
        self.pending
            .iter()
            .all(|call| self.resolutions.contains_key(&call.call_id))
    }

    /// Returns a denial for each call without a resolution; for a client's tool, a failure. Used
    /// for a turn that does not wait any longer.
    pub fn answered_with_no(&self, reason: &str) -> BTreeMap<String, Resolution> {
        let waits = self.pending.iter();
        let waits = waits.filter(|call| !self.resolutions.contains_key(&call.call_id));
        let no = waits.map(|call| {
            let resolution = match call.wants {
                Wanted::Decision { .. } => Resolution::unanswered(reason),
                Wanted::Result => Resolution::Result(ToolOutput::error(reason)),
            };
            (call.call_id.clone(), resolution)
        });
        no.collect()
    }

    /// Checks that resolutions fit the calls that wait.
    ///
    /// # Errors
    ///
    /// A resolution does not fit: [`CheckpointError::Resolutions`].
    pub fn check(&self, resolutions: &BTreeMap<String, Resolution>) -> Result<(), CheckpointError> {
        let checked = check(&self.pending, resolutions);
        checked.map_err(|cause| CheckpointError::Resolutions {
            id: self.id.clone(),
            cause,
        })
    }
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

    /// Records answers to calls of a waiting checkpoint, as [`CheckpointInfo::answer`] does, for
    /// the process that resumes the turn. Of all answerers of a call in all processes exactly one
    /// succeeds, unless answers are replaced. Returns the facts with the answers.
    ///
    /// # Errors
    ///
    /// The checkpoint is unknown or claimed, a resolution does not fit a waiting call, a call
    /// already has an answer, the time for answers is over, or the store failed. Then no answer is
    /// recorded.
    async fn resolve(
        &self,
        id: &CheckpointId,
        resolutions: BTreeMap<String, Resolution>,
        by: Answerer,
    ) -> Result<CheckpointInfo, CheckpointError>;

    /// Returns the facts about a checkpoint, waiting or claimed.
    ///
    /// # Errors
    ///
    /// The checkpoint is unknown, its facts are damaged, or the store failed.
    async fn get(&self, id: &CheckpointId) -> Result<CheckpointInfo, CheckpointError>;

    /// Claims a waiting checkpoint for [this process](ClaimedBy::this_process). Of all claimers in
    /// all processes exactly one succeeds. Discard the checkpoint once the turn was resumed.
    ///
    /// # Errors
    ///
    /// The checkpoint is unknown, claimed or damaged, or the store failed.
    async fn claim(&self, id: &CheckpointId) -> Result<Checkpoint, CheckpointError>;

    /// Releases a claimed checkpoint whose turn could not be resumed. The recorded answers stay.
    /// Does nothing to a waiting checkpoint.
    ///
    /// # Errors
    ///
    /// The checkpoint is unknown, or the store failed.
    async fn release(&self, id: &CheckpointId) -> Result<(), CheckpointError>;

    /// Returns the waiting checkpoints, of one session or of all, oldest first.
    ///
    /// # Errors
    ///
    /// The store failed, or a checkpoint's facts are damaged.
    async fn list(&self, session: Option<&str>) -> Result<Vec<CheckpointInfo>, CheckpointError>;

    /// Returns the claimed checkpoints, of one session or of all, oldest first. Their turns are
    /// running, or were interrupted, or the process that resumed them is dead. No host resumes such
    /// a checkpoint automatically, because its tools may have run: release the checkpoint to resume
    /// the turn again, or discard it. A recorded turn is
    /// [finished](crate::AgentSession::finish_turn) from its record, which claims the checkpoint
    /// again. If the session has a newer checkpoint, the turn has reached that one. A sub-agent's
    /// turn is resumed with its parent's, so release only the parent's checkpoint.
    ///
    /// # Errors
    ///
    /// The store failed, or a checkpoint's facts are damaged.
    async fn claimed(&self, session: Option<&str>) -> Result<Vec<CheckpointInfo>, CheckpointError>;

    /// Removes a checkpoint, waiting or claimed.
    ///
    /// # Errors
    ///
    /// The checkpoint is unknown, or the store failed.
    async fn discard(&self, id: &CheckpointId) -> Result<(), CheckpointError>;
}
