//! Errors of workspaces.

use std::io;
use std::path::PathBuf;

/// The reason that an operation on a workspace failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorkspaceError {
    /// The name is invalid.
    #[error(
        "`{name}` cannot name a workspace: {why}; use at most 100 letters, digits, `-`, `_` and \
         `.` of ASCII, with a letter, digit or `_` first"
    )]
    BadName {
        /// The name, cut and safe to show.
        name: String,
        /// The problem with the name.
        why: &'static str,
    },
    /// The workspace is not open here.
    #[error("workspace `{name}` is not open: open it first")]
    NotOpen {
        /// The workspace.
        name: String,
    },
    /// The workspace is in use.
    #[error("workspace `{name}` is in use: drop all its `Workspace` values first")]
    InUse {
        /// The workspace.
        name: String,
    },
    /// Another process has the workspace open.
    #[error("workspace `{name}` is open elsewhere: close it there, or use another name or root")]
    OpenElsewhere {
        /// The workspace.
        name: String,
    },
    /// The limit of open workspaces is reached, and none could be evicted.
    #[error(
        "there is no room to open workspace `{name}`: {max_open} are open, which is the limit, and \
         after {retries} retries none could be evicted ({cause}); close one, or raise `max_open`"
    )]
    NoRoom {
        /// The workspace to open.
        name: String,
        /// The maximum number of open workspaces.
        max_open: usize,
        /// The number of retries of the eviction.
        retries: u32,
        /// The reason that the least recently used one could not be evicted at the last retry.
        cause: Box<WorkspaceError>,
    },
    /// All open workspaces are in use.
    #[error("all are in use")]
    AllInUse,
    /// Snapshots are not configured.
    #[error("no snapshot of workspace `{name}` can be taken: set `snapshots` to a directory")]
    NoSnapshots {
        /// The workspace.
        name: String,
    },
    /// The workspace is too large for a snapshot.
    #[error(
        "workspace `{name}` holds more than the {max_bytes} bytes that a snapshot may have: remove \
         files from it, or raise `max_snapshot_bytes`"
    )]
    TooLarge {
        /// The workspace.
        name: String,
        /// The maximum number of bytes.
        max_bytes: u64,
    },
    /// The path is not a directory.
    #[error("{}, where the workspace should be, is not a directory: move it away", .path.display())]
    NotADirectory {
        /// The path.
        path: PathBuf,
    },
    /// An I/O error.
    #[error("{doing} {} failed: {source}; check the host's permissions", .path.display())]
    Io {
        /// The operation.
        doing: &'static str,
        /// Its path.
        path: PathBuf,
        /// The error.
        source: io::Error,
    },
    /// The operation was stopped, because the runtime is shutting down or an observer panicked.
    #[error("the operation on workspaces was aborted ({cause}): try again")]
    Aborted {
        /// The cause.
        cause: String,
    },
}

impl WorkspaceError {
    /// Returns a function that adds the operation and its path to an I/O error, for `map_err`.
    pub(super) fn io(
        doing: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io {
            doing,
            path,
            source,
        }
    }
}
