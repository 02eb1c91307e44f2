//! The errors of a bridge.

use portcullis::hooks::HooksError;
use portcullis::json::JsonError;
use portcullis::state::StateStoreError;
use portcullis::threads::BlockingError;
use portcullis_agent::SavedSessionError;
use portcullis_store::{JournalError, StoreError};

/// The reason that the bridge cannot be opened, or that it decided nothing. A caller that guards an
/// operation must then not proceed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BridgeError {
    /// The hooks do not load.
    #[error(transparent)]
    Hooks(#[from] HooksError),
    /// There is no point of that name.
    #[error("there is no point `{name}`; {}", nearest.map_or_else(|| "`portcullis points` lists them".into(), |name| format!("did you mean `{name}`?")))]
    UnknownPoint {
        /// The name.
        name: String,
        /// The point with the most similar name.
        nearest: Option<&'static str>,
    },
    /// The input or the views do not fit the point.
    #[error("the {part} of `{point}` is wrong: {error}")]
    BadRequest {
        /// The point.
        point: &'static str,
        /// `input` or `views`.
        part: &'static str,
        /// The error and its position.
        error: JsonError,
    },
    /// The id of the session is not valid.
    #[error("a session id must have 1 to {most} bytes and no control characters")]
    BadSessionId {
        /// The maximum number of bytes.
        most: usize,
    },
    /// No question with this id is pending.
    #[error(
        "session `{session}` has no question `{id}` that waits: it was answered or left for too long, or the session was closed since; make the call again"
    )]
    NoQuestion {
        /// The session.
        session: String,
        /// The id.
        id: u64,
    },
    /// Too many sessions are open, and all of them are in use.
    #[error("{most} sessions are open and in use; end some, or raise the limit")]
    TooManySessions {
        /// The maximum number of open sessions.
        most: usize,
    },
    /// The bridge was closed, so it opens no session.
    #[error("the hooks were closed, so no session can be opened; load them again")]
    Closed,
    /// The session cannot be opened or saved.
    #[error(transparent)]
    Session(#[from] SavedSessionError),
    /// The state of hooks cannot be read or written.
    #[error("the state of hooks cannot be kept: {0}")]
    State(#[from] StateStoreError),
    /// Calls cannot be recorded.
    #[error(transparent)]
    Recording(#[from] StoreError),
    /// The journal cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The hooks were not loaded again.
    #[error("the hooks were not loaded again, and those before still run: {0}; load them again")]
    NotReloaded(#[from] BlockingError),
    /// The session was not closed.
    #[error(
        "the session was not closed: the runtime that it runs on has ended; close sessions before"
    )]
    NotClosed,
    /// A decision cannot be written as JSON.
    #[error("the decision cannot be written as JSON: {0}")]
    Reply(JsonError),
}
