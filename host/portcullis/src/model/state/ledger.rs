//! The changes that a call's atomic operations made in the store.

use std::sync::{Arc, Mutex, PoisonError};

use super::SharedKey;
use super::undo::Undo;
use super::writer::StateWriter;

/// The undo operations for the changes that a call's atomic operations made in the store.
///
/// An operation runs to its end even if its call is dropped in the middle. An operation that ends
/// after its call is undone at once.
#[derive(Debug)]
pub(super) struct Ledger {
    writer: Arc<StateWriter>,
    /// `None` after the call.
    undo: Mutex<Option<Vec<(SharedKey, Undo)>>>,
}

impl Ledger {
    pub(super) fn new(writer: Arc<StateWriter>) -> Self {
        Self {
            writer,
            undo: Mutex::new(Some(Vec::new())),
        }
    }

    /// Records an operation that took effect.
    pub(super) fn record(&self, key: SharedKey, undo: Undo) {
        match &mut *self.undo.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(list) => list.push((key, undo)),
            None => self.writer.undo([(key, undo)]),
        }
    }

    /// Keeps the changes of a call that succeeded.
    pub(super) fn keep(&self) {
        self.end();
    }

    /// Undoes the changes of a call that failed.
    pub(super) fn roll_back(&self) {
        let mut undo = self.end();
        undo.reverse();
        if !undo.is_empty() {
            self.writer.undo(undo);
        }
    }

    fn end(&self) -> Vec<(SharedKey, Undo)> {
        let mut undo = self.undo.lock().unwrap_or_else(PoisonError::into_inner);
        undo.take().unwrap_or_default()
    }
}
