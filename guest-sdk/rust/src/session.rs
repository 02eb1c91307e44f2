//! A view of the session: its user, working directory, parent and metadata.

use crate::imports::session;

/// Returns the user, as the embedder names them.
pub fn user() -> Option<String> {
    session::user()
}

/// Returns the directory that the agent works in.
pub fn working_dir() -> Option<String> {
    session::working_dir()
}

/// Returns the parent's session, if this is the session of a sub-agent.
pub fn parent() -> Option<String> {
    session::parent()
}

/// Returns the embedder's metadata of the session, by key.
pub fn metadata() -> Vec<(String, String)> {
    session::metadata()
}
