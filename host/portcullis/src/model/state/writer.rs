//! What writes state to the store: one task at a time, in the order of the calls.

mod queue;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::FutureExt as _;
use tokio::runtime::Handle;
use tokio::sync::{Notify, watch};

pub(super) use self::queue::Pending;
use self::queue::{Batch, Queue};
use super::undo::Undo;
use super::{Current, PrivateEntry, SharedKey, StateStore, StateStoreError};

/// How long a store that failed is left alone, unless something new is to be written.
const RETRY: Duration = Duration::from_secs(1);

/// Writes state to the store. What is queued while it writes goes together with the next batch.
#[derive(Debug)]
pub(crate) struct StateWriter {
    pub(super) store: Arc<dyn StateStore>,
    queue: Mutex<Queue>,
    again: Notify,
    progress: watch::Sender<Progress>,
}

/// How far the store has what was queued.
#[derive(Debug, Clone, Default)]
struct Progress {
    written: u64,
    /// The last attempt, if it failed, and how far it would have come.
    failed: Option<(u64, StateStoreError)>,
}

impl StateWriter {
    pub(super) fn new(store: Arc<dyn StateStore>) -> Self {
        Self {
            store,
            queue: Mutex::default(),
            again: Notify::new(),
            progress: watch::Sender::default(),
        }
    }

    /// Reads the private state of a session, after what is queued was written.
    pub(crate) async fn read(
        self: &Arc<Self>,
        session: &str,
    ) -> Result<Vec<PrivateEntry>, StateStoreError> {
        self.flush().await?;
        self.store.private(session).await
    }

    /// Queues writes. Gives the number that [`StateWriter::written`] waits for.
    pub(super) fn push(self: &Arc<Self>, pending: Pending) -> u64 {
        if pending.is_empty() {
            return self.queue().queued;
        }
        self.queue_with(|queue| queue.add(pending))
    }

    /// Queues what undoes operations that the store has already.
    pub(super) fn undo(self: &Arc<Self>, undo: impl IntoIterator<Item = (SharedKey, Undo)>) {
        self.queue_with(|queue| queue.undo.extend(undo));
    }

    /// Waits until the store has what was queued up to here, or failed to take it.
    pub(super) async fn written(&self, upto: u64) -> Result<(), StateStoreError> {
        let mut progress = self.progress.subscribe();
        let over = |progress: &Progress| {
            let failed = progress.failed.as_ref();
            progress.written >= upto || failed.is_some_and(|(at, _)| *at >= upto)
        };
        match progress
            .wait_for(over)
            .await
            .map(|progress| progress.clone())
        {
            Ok(progress) if progress.written >= upto => Ok(()),
            Ok(Progress {
                failed: Some((_, error)),
                ..
            }) => Err(error),
            _ => Err(StateStoreError::new("its writer has ended")),
        }
    }

    /// Has the store take all that is queued, and waits for it.
    pub(crate) async fn flush(self: &Arc<Self>) -> Result<(), StateStoreError> {
        if self.queue().is_idle() {
            return Ok(());
        }
        let upto = self.queue_with(|_| {});
        self.written(upto).await
    }

    /// Waits for what undoes the operations of failed calls.
    pub(super) async fn settle(self: &Arc<Self>) -> Result<(), StateStoreError> {
        let undoing = self.queue().undoing;
        match undoing {
            false => Ok(()),
            true => self.flush().await,
        }
    }

    /// Whether the store takes what is queued: it does not while something is left that it failed to
    /// take.
    pub(super) fn check(&self) -> Result<(), StateStoreError> {
        let left = !self.queue().is_empty();
        match &self.progress.borrow().failed {
            Some((_, error)) if left => Err(error.clone()),
            _ => Ok(()),
        }
    }

    fn queue_with(self: &Arc<Self>, add: impl FnOnce(&mut Queue)) -> u64 {
        let mut queue = self.queue();
        add(&mut queue);
        queue.undoing |= !queue.undo.is_empty();
        queue.queued += 1;
        self.again.notify_one();
        if !queue.running {
            match Handle::try_current() {
                Ok(runtime) => {
                    queue.running = true;
                    runtime.spawn(Running(Some(self.clone())).run());
                }
                Err(_) => {
                    let error = StateStoreError::new("there is no tokio runtime to write it on");
                    self.failed(queue.queued, error);
                }
            }
        }
        queue.queued
    }

    fn failed(&self, upto: u64, error: StateStoreError) {
        tracing::error!("hooks' state was not written: {error}");
        self.progress
            .send_modify(|progress| progress.failed = Some((upto, error)));
    }

    /// Hands a batch to the store. What has taken effect is taken out of it.
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

/// The task that writes. If its runtime ends, another one may begin.
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
                    let written = batch.upto;
                    writer.progress.send_replace(Progress {
                        written,
                        failed: None,
                    });
                }
                Err(error) => {
                    let upto = batch.upto;
                    writer.queue().put_back(batch);
                    writer.failed(upto, error);
                    // Ends early if something is queued.
                    let _ = tokio::time::timeout(RETRY, writer.again.notified()).await;
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
