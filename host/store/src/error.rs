//! The errors of a store.

use std::path::PathBuf;

use portcullis_recording::RecordingError;

/// An error of opening, reading or writing a store.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Recorded calls cannot be read or written.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// The thread that writes recorded calls cannot be started.
    #[error("calls of hooks cannot be recorded, since no thread can be started: {0}")]
    NoWriter(String),
    /// The store cannot be opened.
    #[error("the store {store} cannot be opened: {cause}")]
    Open {
        /// The store, without its password.
        store: String,
        /// The cause and the fix.
        cause: String,
    },
    /// The lock file that shows other processes that this one is alive cannot be locked.
    #[error(
        "the store's lock {} cannot be held: {cause}; put the store on a local file system, in a \
         directory that can be written",
        .path.display()
    )]
    Lock {
        /// The lock's file.
        path: PathBuf,
        /// The cause.
        cause: String,
    },
    /// The database cannot be reached, or has no space. The error may be temporary.
    #[error("the store's database cannot be reached: {0}")]
    Away(String),
    /// A statement failed.
    #[error("the store failed: {0}")]
    Database(String),
    /// A process has the session open.
    #[error(
        "the session `{session}` is open in process {pid} on {machine}: end it there, or delete it with \
         `--force`"
    )]
    InUse {
        /// The session's id.
        session: String,
        /// The process.
        pid: u64,
        /// Its machine.
        machine: String,
    },
    /// This process does not have the session open.
    #[error(
        "this process does not have the session `{session}` open: it was released or deleted; open it \
         again"
    )]
    NotOpen {
        /// The session's id.
        session: String,
    },
    /// The thread that the store runs on has ended.
    #[error("the store is closed; open it again")]
    Closed,
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        match is_away(&error) {
            true => Self::Away(with_fix(&error)),
            false => Self::Database(with_fix(&error)),
        }
    }
}

/// Returns the text of an error, with the fix for an SQLite error.
pub(crate) fn with_fix(error: &sqlx::Error) -> String {
    let code = match error {
        sqlx::Error::Database(error) => error.code(),
        _ => None,
    };
    // PostgreSQL's codes have five characters.
    let code = code.filter(|code| code.len() < 5);
    match code.and_then(|code| sqlite_fix(code.parse().ok()?)) {
        Some(fix) => format!("{error}; {fix}"),
        None => error.to_string(),
    }
}

/// Returns the fix for an SQLite error code. The low byte of an extended code is its base code.
pub(crate) fn sqlite_fix(code: i32) -> Option<&'static str> {
    Some(match code & 0xff {
        8 | 14 => "name a file that you may read and write, in a directory that you may write",
        11 => "restore a copy of the file, or name another one",
        13 => "make room on the disk",
        26 => "name the file of a store, or one that does not exist",
        _ => return None,
    })
}

fn is_away(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut | sqlx::Error::WorkerCrashed => true,
        // PostgreSQL: connection exceptions, no space, and a server that stops or starts. SQLite:
        // another process has locked the file.
        sqlx::Error::Database(error) => error.code().is_some_and(|code| {
            code.starts_with("08")
                || code.starts_with("53")
                || code.starts_with("57P")
                || code == "5"
        }),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_sqlite_says_what_to_do() {
        // 267 and 1032 are extended codes of 11 and 8.
        for (code, fix) in [
            (8, "may write"),
            (1032, "may write"),
            (14, "may read and write"),
            (11, "restore a copy"),
            (267, "restore a copy"),
            (13, "make room"),
            (26, "the file of a store"),
        ] {
            let said = sqlite_fix(code);
            assert!(said.is_some_and(|said| said.contains(fix)), "{code}");
        }
        assert_eq!(sqlite_fix(1), None);
    }
}
