//! Checkpoint errors.

use super::{AnsweredBy, CheckpointId, ClaimedBy};
use crate::basics::units::seconds_since;

/// The reason that a checkpoint could not be saved, claimed or released.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// The checkpoint does not exist.
    #[error(
        "there is no checkpoint `{0}`: it was resumed or discarded, or it is kept in another store; \
         `portcullis approvals list` shows the turns that wait"
    )]
    Unknown(CheckpointId),
    /// The checkpoint is already claimed.
    #[error(
        "checkpoint `{id}` was claimed {} s ago by process {} on host `{}`, and \
         a turn is resumed only once; if that process is dead, release the checkpoint to resume it \
         again, or discard it", seconds_since(by.at_ms), by.process, shown(&by.host)
    )]
    AlreadyClaimed {
        /// The checkpoint.
        id: CheckpointId,
        /// The process that claimed it.
        by: ClaimedBy,
    },
    /// A resolution does not fit the waiting calls.
    #[error("checkpoint `{id}`: {cause}")]
    Resolutions {
        /// The checkpoint.
        id: CheckpointId,
        /// A description of the mismatch.
        cause: String,
    },
    /// A call already has an answer.
    #[error(
        "call `{call}` of checkpoint `{id}` was already answered{}; until the turn is resumed, `portcullis approvals` \
         replaces an answer with --replace", answered(by.as_ref())
    )]
    Answered {
        /// The checkpoint.
        id: CheckpointId,
        /// The call.
        call: String,
        /// The answerer, if known.
        by: Option<AnsweredBy>,
    },
    /// The time for answers is over.
    #[error(
        "checkpoint `{id}` stopped taking answers {} s ago; `portcullis resume {id}` continues the turn, and calls without \
         an answer are denied", seconds_since(*until_ms)
    )]
    Late {
        /// The checkpoint.
        id: CheckpointId,
        /// The end of that time, in milliseconds since the Unix epoch.
        until_ms: u64,
    },
    /// The data of the checkpoint cannot be read. The checkpoint still waits.
    #[error(
        "checkpoint `{id}` is damaged and cannot be resumed: {cause}; restore its store from a \
         backup, or discard it"
    )]
    Damaged {
        /// The checkpoint.
        id: CheckpointId,
        /// The error text.
        cause: String,
    },
    /// The store failed.
    #[error("the store of checkpoints failed: {0}")]
    Store(String),
}

fn shown(text: &str) -> String {
    portcullis::text::sanitize_for_terminal(text)
}

fn answered(by: Option<&AnsweredBy>) -> String {
    match by {
        Some(by) => format!(" by {}, {} s ago", shown(&by.who), seconds_since(by.at_ms)),
        None => String::new(),
    }
}
