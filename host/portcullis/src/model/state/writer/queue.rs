//! The queue of writes.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use tokio::sync::oneshot;

use crate::model::state::undo::Undo;
use crate::model::state::{PrivateKey, SharedKey, StateStoreError, Writes};

/// The queue of writes, in the order of the calls. Only the last value of each key is kept.
#[derive(Debug, Default)]
pub(super) struct Queue {
    private: BTreeMap<PrivateKey, Value>,
    shared: BTreeMap<SharedKey, Option<Vec<u8>>>,
    pub(super) undo: VecDeque<(SharedKey, Undo)>,
    /// Whether operations of failed calls still have to be undone.
    pub(super) undoing: bool,
    /// The waiters for the queued writes.
    pub(super) waiters: Vec<Waiter>,
    /// The error of the last attempt, if it failed.
    pub(super) failed: Option<StateStoreError>,
    /// The sessions whose private state the store no longer accepts, with the error.
    pub(super) lost: HashMap<Arc<str>, StateStoreError>,
    /// The sessions that are open.
    pub(super) open: HashSet<Arc<str>>,
    /// Whether a task is writing.
    pub(super) running: bool,
}

/// A waiter for queued writes.
#[derive(Debug)]
pub(super) struct Waiter {
    pub(super) done: oneshot::Sender<Result<(), StateStoreError>>,
    /// Whether the waiter waits for its own writes, and not for those of others.
    pub(super) writes: bool,
}

impl Waiter {
    /// Sends the result. The receiver may have been dropped.
    pub(super) fn tell(self, result: Result<(), StateStoreError>) {
        let _ = self.done.send(result);
    }
}

#[derive(Debug)]
struct Value {
    value: Option<Vec<u8>>,
    /// Whether the call that wrote the value waits for it.
    awaited: bool,
}

/// Writes of one call.
#[derive(Debug, Default)]
pub(in crate::model::state) struct Pending {
    pub(in crate::model::state) writes: Writes,
    /// Whether the call waits for the writes. If the store fails, they are dropped, and the call
    /// fails.
    pub(in crate::model::state) awaited: bool,
}

impl Pending {
    pub(in crate::model::state) fn is_empty(&self) -> bool {
        self.writes.private.is_empty() && self.writes.shared.is_empty()
    }

    /// Adds a key of private state, if its session is kept in the store.
    pub(in crate::model::state) fn private(
        &mut self,
        key: Option<PrivateKey>,
        value: Option<Vec<u8>>,
    ) {
        self.writes.private.extend(key.map(|key| (key, value)));
    }
}

/// A batch for the store.
#[derive(Debug)]
pub(super) struct Batch {
    pub(super) writes: Writes,
    pub(super) undo: VecDeque<(SharedKey, Undo)>,
    pub(super) waiters: Vec<Waiter>,
    /// Whether a call waits for the write, for each key of private state.
    awaited: Vec<bool>,
}

impl Batch {
    /// Returns whether the batch contains private state of this session.
    pub(super) fn has(&self, session: Option<&str>) -> bool {
        let mut keys = self.writes.private.iter().map(|(key, _)| key);
        session.is_some_and(|session| keys.any(|key| &*key.session == session))
    }
}

impl Queue {
    /// Queues writes, unless their session is lost.
    pub(super) fn add(
        &mut self,
        pending: Pending,
        waiter: Option<Waiter>,
    ) -> Result<(), StateStoreError> {
        let Pending { writes, awaited } = pending;
        let mut sessions = writes.private.iter().map(|(key, _)| &key.session);
        if let Some(lost) = sessions.find_map(|session| self.lost.get(session)) {
            return Err(lost.clone());
        }
        self.waiters.extend(waiter);
        let private = writes.private.into_iter();
        self.private
            .extend(private.map(|(key, value)| (key, Value { value, awaited })));
        self.shared.extend(writes.shared);
        Ok(())
    }

    /// Returns whether there is nothing to write, and nothing is being written.
    pub(super) fn is_idle(&self) -> bool {
        !self.running && self.is_empty()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.private.is_empty() && self.shared.is_empty() && self.undo.is_empty()
    }

    /// Takes the whole queue. If it is empty, the task ends.
    pub(super) fn take(&mut self) -> Option<Batch> {
        if self.is_empty() && self.waiters.is_empty() {
            self.running = false;
            return None;
        }
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
            waiters: std::mem::take(&mut self.waiters),
            awaited,
        })
    }

    /// Records that the store has accepted a batch.
    pub(super) fn wrote(&mut self) {
        self.undoing = !self.undo.is_empty();
        self.failed = None;
    }

    /// Puts back the writes that the store rejected, unless their keys were written again since.
    /// Drops awaited writes, since their calls fail; shared state is always awaited. Also drops the
    /// writes of a lost session. Returns the waiters whose writes failed.
    pub(super) fn put_back(&mut self, batch: Batch, error: &StateStoreError) -> Vec<Waiter> {
        let private = batch.writes.private.into_iter().zip(batch.awaited);
        for ((key, value), awaited) in private.filter(|(_, awaited)| !awaited) {
            if error.session() == Some(&*key.session) {
                continue;
            }
            let value = Value { value, awaited };
            self.private.entry(key).or_insert(value);
        }
        for undo in batch.undo.into_iter().rev() {
            self.undo.push_front(undo);
        }
        let Some(lost) = error.session() else {
            self.failed = Some(error.clone());
            return batch.waiters;
        };
        self.lost.insert(lost.into(), error.clone());
        // The writes of others are tried again at once.
        let waiters = batch.waiters.into_iter();
        let (failed, others) = waiters.partition(|waiter| waiter.writes);
        self.waiters.splice(..0, others);
        failed
    }
}
