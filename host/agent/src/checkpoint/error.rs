//! What can go wrong with a checkpoint.

use super::CheckpointId;

/// Why a checkpoint could not be saved, claimed or released.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// There is no such checkpoint.
    #[error("there is no checkpoint `{0}`: it was discarded, or it is kept in another store")]
    Unknown(CheckpointId),
    /// It was claimed before.
    #[error(
        "checkpoint `{id}` was claimed at {at_ms} ms since the Unix epoch, and a turn is resumed \
         only once; if the process that claimed it is dead, release the checkpoint to resume it \
         again, or discard it"
    )]
    AlreadyClaimed {
        /// The checkpoint.
        id: CheckpointId,
        /// When it was claimed, in milliseconds since the Unix epoch.
        at_ms: u64,
    },
    /// Its data cannot be read. It still waits.
    #[error(
        "checkpoint `{id}` is damaged and cannot be resumed: {cause}; restore its store from a \
         backup, or discard it"
    )]
    Damaged {
        /// The checkpoint.
        id: CheckpointId,
        /// What is wrong with it.
        cause: String,
    },
    /// The store failed.
    #[error("the store of checkpoints failed: {0}")]
    Store(String),
}
