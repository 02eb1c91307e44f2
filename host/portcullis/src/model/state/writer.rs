//! The writer of state to the store: one task at a time, in the order of the calls.

mod queue;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::FutureExt as _;
use tokio::runtime::Handle;
use tokio::sync::{Notify, oneshot};

pub(super) use self::queue::Pending;
use self::queue::{Batch, Queue, Waiter};
use super::stored::Opened;
use super::undo::Undo;
use super::{Current, SharedKey, StateStore, StateStoreError, StoredState};

/// The time between two attempts after a store failed, unless new writes are queued.
const RETRY: Duration = Duration::from_secs(1);

/// A writer of state to the store. Writes that are queued during a batch go into the next one.
#[derive(Debug)]
pub(crate) struct StateWriter {
    pub(super) store: Arc<dyn StateStore>,
    queue: Mutex<Queue>,
    again: Notify,
}

/// The result of a call's queued writes.
#[derive(Debug)]
pub(super) enum Written {
    Known(Result<(), StateStoreError>),
    Waits(oneshot::Receiver<Result<(), StateStoreError>>),
}

impl StateWriter {
    pub(super) fn new(store: Arc<dyn StateStore>) -> Self {
        Self {
            store,
            queue: Mutex::default(),
            again: Notify::new(),
        }
    }

    /// Reads the private state of a session, to open it, after the queued writes. The session must
    /// not be open yet: two openings would overwrite each other's state.
    pub(crate) async fn open(
        self: &Arc<Self>,
        session: &str,
    ) -> Result<StoredState, StateStoreError> {
        let opened = {
            let mut queue = self.queue();
            if !queue.open.insert(session.into()) {
                return Err(StateStoreError::already_open(session));
            }
            queue.lost.remove(session);
            Arc::new(Opened {
                session: session.into(),
                writer: self.clone(),
            })
        };
        self.flush().await?;
        let entries = self.store.private(session).await?.into();
        Ok(StoredState { entries, opened })
    }

    /// Returns the store.
    pub(crate) fn store(&self) -> &Arc<dyn StateStore> {
        &self.store
    }

    /// Allows a session to be opened again.
    pub(super) fn closed(&self, session: &str) {
        self.queue().open.remove(session);
    }

    /// Queues writes. Returns the handle for [`StateWriter::written`].
    pub(super) fn push(self: &Arc<Self>, pending: Pending) -> Written {
        if pending.is_empty() {
            return Written::Known(Ok(()));
        }
        let (queued, wait) = match pending.awaited {
            true => {
                let (done, wait) = oneshot::channel();
                let waiter = Waiter { done, writes: true };
                (Some(waiter), Written::Waits(wait))
            }
            false => (None, Written::Known(Ok(()))),
        };
        match self.queue_with(|queue| queue.add(pending, queued)) {
            Ok(()) => wait,
            Err(lost) => Written::Known(Err(lost)),
        }
    }

    /// Queues the undo of operations that are already in the store.
    pub(super) fn undo(self: &Arc<Self>, undo: impl IntoIterator<Item = (SharedKey, Undo)>) {
        self.queue_with(|queue| queue.undo.extend(undo));
    }

    /// Waits until the store has the queued writes, or failed to accept them.
    pub(super) async fn written(&self, written: Written) -> Result<(), StateStoreError> {
        match written {
            Written::Known(result) => result,
            Written::Waits(wait) => wait
                .await
                .unwrap_or_else(|_| Err(StateStoreError::new("its writer has ended"))),
        }
    }

    /// Writes the whole queue to the store, and waits for the result.
    pub(crate) async fn flush(self: &Arc<Self>) -> Result<(), StateStoreError> {
        if self.queue().is_idle() {
            return Ok(());
        }
        let (done, wait) = oneshot::channel();
        let writes = false;
        self.queue_with(|queue| queue.waiters.push(Waiter { done, writes }));
        self.written(Written::Waits(wait)).await
    }

    /// Waits until the operations of failed calls are undone.
    pub(super) async fn settle(self: &Arc<Self>) -> Result<(), StateStoreError> {
        let undoing = self.queue().undoing;
        match undoing {
            false => Ok(()),
            true => self.flush().await,
        }
    }

    /// Checks that the store accepts queued writes for a session. The check fails while writes that
    /// the store rejected are queued, or after the session is lost.
    pub(super) fn check(&self, session: Option<&str>) -> Result<(), StateStoreError> {
        let queue = self.queue();
        let lost = session.and_then(|session| queue.lost.get(session));
        let failed = queue.failed.as_ref().filter(|_| !queue.is_empty());
        lost.or(failed).map_or(Ok(()), |error| Err(error.clone()))
    }

    /// Checks that a session is not lost.
    pub(super) fn check_lost(&self, session: &str) -> Result<(), StateStoreError> {
        let queue = self.queue();
        let lost = queue.lost.get(session);
        lost.map_or(Ok(()), |error| Err(error.clone()))
    }

    fn queue_with<T>(self: &Arc<Self>, add: impl FnOnce(&mut Queue) -> T) -> T {
        let mut queue = self.queue();
        let added = add(&mut queue);
        queue.undoing |= !queue.undo.is_empty();
        self.again.notify_one();
        if !queue.running {
            match Handle::try_current() {
                Ok(runtime) => {
                    queue.running = true;
                    runtime.spawn(Running(Some(self.clone())).run());
                }
                Err(_) => {
                    let error = StateStoreError::new("there is no tokio runtime to write it on");
                    let waiters = std::mem::take(&mut queue.waiters);
                    queue.failed = Some(error.clone());
                    failed(waiters, &error);
                }
            }
        }
        added
    }

    /// Passes a batch to the store. Removes the parts that have taken effect.
    async fn attempt(&self, batch: &mut Batch) -> Result<(), StateStoreError> {
        while let Some((SharedKey { namespace, key }, undo)) = batch.undo.front() {
            let undo = undo.clone();
            let edit = move |current: &Current| undo.revert(current.value.as_deref());
            self.store.update(namespace, key, Arc::new(edit)).await?;
            batch.undo.pop_front();
        }
        match batch.writes.private.is_empty() && batch.writes.shared.is_empty() {
            true => Ok(()),
            false => self.store.write(&batch.writes).await,
        }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The writing task. If its runtime ends, another task may begin.
struct Running(Option<Arc<StateWriter>>);

impl Running {
    async fn run(mut self) {
        let Some(writer) = self.0.clone() else { return };
        loop {
            let Some(mut batch) = writer.queue().take() else {
                self.0 = None;
                return;
            };
            let attempt = std::panic::AssertUnwindSafe(writer.attempt(&mut batch)).catch_unwind();
            let panicked = |_| Err(StateStoreError::new("the store's code panicked"));
            match attempt.await.unwrap_or_else(panicked) {
                Ok(()) => {
                    writer.queue().wrote();
                    for waiter in batch.waiters {
                        waiter.tell(Ok(()));
                    }
                }
                Err(error) => {
                    let lost = batch.has(error.session());
                    let waiters = writer.queue().put_back(batch, &error);
                    failed(waiters, &error);
                    if !lost {
                        // Ends early if something is queued.
                        let _ = tokio::time::timeout(RETRY, writer.again.notified()).await;
                    }
                }
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(writer) = &self.0 {
            writer.queue().running = false;
        }
    }
}

fn failed(waiters: Vec<Waiter>, error: &StateStoreError) {
    // The embedder receives the error of a lost session when it flushes.
    if error.session().is_none() {
        tracing::error!("hooks' state was not written: {error}");
    }
    for waiter in waiters {
        waiter.tell(Err(error.clone()));
    }
}

#[cfg(test)]
pub(super) mod tests;
