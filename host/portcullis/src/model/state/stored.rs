//! A session's private state in the store.

use std::sync::Arc;

use super::{PrivateEntry, StateWriter};

/// A session's private state, read from the store. A session that is opened with this state
/// continues from it, and its state is kept in the store. A session has one opening at a time:
/// until all clones are dropped, [`Hooks::stored_state`](crate::Hooks::stored_state) refuses
/// another.
#[derive(Debug, Clone)]
pub struct StoredState {
    pub(super) entries: Arc<[PrivateEntry]>,
    pub(super) opened: Arc<Opened>,
}

/// A guard that keeps a session from being opened again until it is dropped.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) session: Arc<str>,
    pub(super) writer: Arc<StateWriter>,
}

impl Drop for Opened {
    fn drop(&mut self) {
        self.writer.closed(&self.session);
    }
}
