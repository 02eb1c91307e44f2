//! A session's private state, as it is in the store.

use std::sync::Arc;

use super::PrivateEntry;

/// What hooks remember of a session, read from the store. A session that is opened with it continues
/// from there, and is kept in the store. One opening at a time: two would overwrite each other.
#[derive(Debug, Clone)]
pub struct StoredState {
    pub(super) session: Arc<str>,
    pub(super) entries: Arc<[PrivateEntry]>,
}

impl StoredState {
    pub(crate) fn new(session: &str, entries: Vec<PrivateEntry>) -> Self {
        Self {
            session: session.into(),
            entries: entries.into(),
        }
    }
}
