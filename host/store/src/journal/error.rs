//! The errors of the journal.

use portcullis::threads::BlockingError;

use crate::error::StoreError;

/// An error of writing or reading the journal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// Records could not be written and are lost.
    #[error(
        "{records} record(s) of hook runs could not be written to the journal and are lost: \
         {cause}; make room on its disk, or see that its store can be written"
    )]
    Write {
        /// The number of records.
        records: usize,
        /// The cause.
        cause: String,
    },
    /// Two runs of one host have the same id. The second is not kept.
    #[error("hook run {id} was begun twice; take ids from `Journal::next_id`")]
    BegunTwice {
        /// The run.
        id: i64,
    },
    /// The run of a recorded end is not running. The end is not kept.
    #[error("hook run {id} was ended, but it never began or had ended before")]
    NotRunning {
        /// The run.
        id: i64,
    },
    /// The writer's thread cannot be started.
    #[error(
        "the journal cannot be written, since no thread can be started: {0}; end other programs, or raise \
         the limit of threads"
    )]
    NoWriter(String),
    /// The writer has ended.
    #[error("the journal's writer has ended, so nothing more is kept; open the journal again")]
    Stopped,
    /// The thread that waits for the writer cannot be started. Queued records are still written.
    #[error("the journal's writer is not waited for: {0}")]
    NotWaited(#[from] BlockingError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
