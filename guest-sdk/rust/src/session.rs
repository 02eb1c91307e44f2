//! A view of the session: its user, working directory, parent and metadata.

use crate::imports::session;

/// The user, as the embedder names them.
pub fn user() -> Option<String> {
    session::user()
}

/// The directory the agent works in.
pub fn working_dir() -> Option<String> {
    session::working_dir()
}

/// The session that started this one as a sub-agent's.
pub fn parent() -> Option<String> {
    session::parent()
}

/// What else the embedder says of the session, by key.
pub fn metadata() -> Vec<(String, String)> {
    session::metadata()
}
