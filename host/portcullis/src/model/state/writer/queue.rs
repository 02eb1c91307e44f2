//! What is to be written.

use std::collections::{BTreeMap, VecDeque};

use crate::model::state::undo::Undo;
use crate::model::state::{PrivateKey, SharedKey, Writes};

/// What is to be written, in the order of the calls. Of each key only the last value is kept.
#[derive(Debug, Default)]
pub(super) struct Queue {
    private: BTreeMap<PrivateKey, Value>,
    shared: BTreeMap<SharedKey, Option<Vec<u8>>>,
    pub(super) undo: VecDeque<(SharedKey, Undo)>,
    /// Whether operations of failed calls are not undone yet.
    pub(super) undoing: bool,
    /// How often something was queued.
    pub(super) queued: u64,
    /// How much of that was handed to the store.
    taken: u64,
    /// Whether a task writes.
    pub(super) running: bool,
}

#[derive(Debug)]
struct Value {
    value: Option<Vec<u8>>,
    /// Whether the call that wrote it waits for it.
    awaited: bool,
}

/// Writes of one call.
#[derive(Debug, Default)]
pub(in crate::model::state) struct Pending {
    pub(in crate::model::state) writes: Writes,
    /// Whether the call waits for them. If the store fails, they are dropped, and the call fails.
    pub(in crate::model::state) awaited: bool,
}

impl Pending {
    pub(in crate::model::state) fn is_empty(&self) -> bool {
        self.writes.private.is_empty() && self.writes.shared.is_empty()
    }

    /// A key of private state, if its session is kept in the store.
    pub(in crate::model::state) fn private(
        &mut self,
        key: Option<PrivateKey>,
        value: Option<Vec<u8>>,
    ) {
        self.writes.private.extend(key.map(|key| (key, value)));
    }
}

/// What is handed to the store.
#[derive(Debug)]
pub(super) struct Batch {
    pub(super) writes: Writes,
    pub(super) undo: VecDeque<(SharedKey, Undo)>,
    pub(super) upto: u64,
    /// For each key of private state, whether a call waits for it.
    awaited: Vec<bool>,
}

impl Queue {
    pub(super) fn add(&mut self, pending: Pending) {
        let Pending { writes, awaited } = pending;
        let private = writes.private.into_iter();
        self.private
            .extend(private.map(|(key, value)| (key, Value { value, awaited })));
        self.shared.extend(writes.shared);
    }

    /// Whether there is nothing to write, and nothing is being written.
    pub(super) fn is_idle(&self) -> bool {
        !self.running && self.is_empty()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.private.is_empty() && self.shared.is_empty() && self.undo.is_empty()
    }

    /// Takes all. Where there is nothing, the task ends.
    pub(super) fn take(&mut self) -> Option<Batch> {
        if self.is_empty() && self.taken == self.queued {
            self.running = false;
            return None;
        }
        self.taken = self.queued;
        let private = std::mem::take(&mut self.private).into_iter();
        let (private, awaited) = private
            .map(|(key, Value { value, awaited })| ((key, value), awaited))
            .unzip();
        Some(Batch {
            writes: Writes {
                private,
                shared: std::mem::take(&mut self.shared).into_iter().collect(),
            },
            undo: std::mem::take(&mut self.undo),
            upto: self.taken,
            awaited,
        })
    }

    /// The store has taken a batch.
    pub(super) fn wrote(&mut self) {
        self.undoing = !self.undo.is_empty();
    }

    /// Puts back what the store did not take, beneath what was queued since. What a call waits for is
    /// dropped, since that call fails; shared state is always waited for.
    pub(super) fn put_back(&mut self, batch: Batch) {
        let private = batch.writes.private.into_iter().zip(batch.awaited);
        for ((key, value), awaited) in private.filter(|(_, awaited)| !awaited) {
            let value = Value { value, awaited };
            self.private.entry(key).or_insert(value);
        }
        for undo in batch.undo.into_iter().rev() {
            self.undo.push_front(undo);
        }
    }
}
