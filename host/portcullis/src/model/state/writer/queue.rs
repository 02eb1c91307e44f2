//! What is to be written.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use tokio::sync::oneshot;

use crate::model::state::undo::Undo;
use crate::model::state::{PrivateKey, SharedKey, StateStoreError, Writes};

/// What is to be written, in the order of the calls. Of each key only the last value is kept.
#[derive(Debug, Default)]
pub(super) struct Queue {
    private: BTreeMap<PrivateKey, Value>,
    shared: BTreeMap<SharedKey, Option<Vec<u8>>>,
    pub(super) undo: VecDeque<(SharedKey, Undo)>,
    /// Whether operations of failed calls are not undone yet.
    pub(super) undoing: bool,
    /// Who waits for what is queued.
    pub(super) waiters: Vec<Waiter>,
    /// Why the last attempt failed, if it did.
    pub(super) failed: Option<StateStoreError>,
    /// The sessions whose private state the store does not take any more, and why.
    pub(super) lost: HashMap<Arc<str>, StateStoreError>,
    /// The sessions that are open.
    pub(super) open: HashSet<Arc<str>>,
    /// Whether a task writes.
    pub(super) running: bool,
}

/// Who waits until the store has what was queued.
#[derive(Debug)]
pub(super) struct Waiter {
    pub(super) done: oneshot::Sender<Result<(), StateStoreError>>,
    /// Whether it waits for writes of its own. If not, it waits for those of others.
    pub(super) writes: bool,
}

impl Waiter {
    /// Tells it the result. It may have been dropped meanwhile.
    pub(super) fn tell(self, result: Result<(), StateStoreError>) {
        let _ = self.done.send(result);
    }
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
    pub(super) waiters: Vec<Waiter>,
    /// For each key of private state, whether a call waits for it.
    awaited: Vec<bool>,
}

impl Batch {
    /// Whether it has private state of this session.
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

    /// Whether there is nothing to write, and nothing is being written.
    pub(super) fn is_idle(&self) -> bool {
        !self.running && self.is_empty()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.private.is_empty() && self.shared.is_empty() && self.undo.is_empty()
    }

    /// Takes all. Where there is nothing, the task ends.
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

    /// The store has taken a batch.
    pub(super) fn wrote(&mut self) {
        self.undoing = !self.undo.is_empty();
        self.failed = None;
    }

    /// Puts back what the store did not take, beneath what was queued since. What a call waits for is
    /// dropped, since that call fails; shared state is always waited for. What it has of a session
    /// that is lost is dropped too. Gives those who waited in vain.
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
        // The others' writes are tried again at once.
        let waiters = batch.waiters.into_iter();
        let (failed, others) = waiters.partition(|waiter| waiter.writes);
        self.waiters.splice(..0, others);
        failed
    }
}
