//! What can go wrong with the journal.

use std::path::PathBuf;

/// Why the journal could not be opened, written or read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be used.
    #[error("the journal {} cannot be opened: {cause}", .path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// Why, and what to do.
        cause: String,
    },
    /// The lock file that shows other processes that this one is alive cannot be locked.
    #[error(
        "the journal's lock {} cannot be held: {cause}; put the journal on a local file system, in \
         a directory that can be written",
        .path.display()
    )]
    Lock {
        /// The lock's file.
        path: PathBuf,
        /// Why.
        cause: String,
    },
    /// Records could not be written and are lost.
    #[error(
        "{records} record(s) of hook runs could not be written to the journal and are lost: \
         {cause}; make room on its disk, or see that its file can be written"
    )]
    Write {
        /// How many records.
        records: usize,
        /// Why.
        cause: String,
    },
    /// Two runs of one host have one id. The second is not kept.
    #[error("hook run {id} was begun twice; take ids from `Journal::next_id`")]
    BegunTwice {
        /// The run.
        id: i64,
    },
    /// A run was ended that is not running. The end is not kept.
    #[error("hook run {id} was ended, but it never began or had ended before")]
    NotRunning {
        /// The run.
        id: i64,
    },
    /// The writer has ended.
    #[error("the journal's writer has ended, so nothing more is kept; open the journal again")]
    Stopped,
    /// The file could not be read.
    #[error("the journal could not be read: {cause}")]
    Read {
        /// Why.
        cause: String,
    },
}

impl From<rusqlite::Error> for JournalError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Read {
            cause: error.to_string(),
        }
    }
}
