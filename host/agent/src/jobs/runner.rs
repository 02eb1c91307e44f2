//! Running jobs outside of any turn.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::FutureExt as _;
use portcullis::HookId;
use portcullis::contract::BackgroundJob;
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, watch};

use super::{Job, JobError, JobHandler};
use crate::basics::units::millis;
use crate::events::{AgentEvent, EventSender, Position};

/// How many jobs run at a time, so that they do not starve turns.
const MAX_RUNNING: usize = 4;

/// How many jobs may be unfinished, so that a hook cannot fill the memory with them.
const MAX_UNFINISHED: usize = 256;

/// The handlers, and the jobs that they have not finished.
pub(crate) struct Jobs {
    handlers: BTreeMap<String, Arc<dyn JobHandler>>,
    slots: Arc<Semaphore>,
    unfinished: watch::Sender<usize>,
}

/// Counts a job as finished when it is dropped.
struct Unfinished(watch::Sender<usize>);

impl Drop for Unfinished {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}

impl Jobs {
    pub(crate) fn new(handlers: BTreeMap<String, Arc<dyn JobHandler>>) -> Self {
        Self {
            handlers,
            slots: Arc::new(Semaphore::new(MAX_RUNNING)),
            unfinished: watch::Sender::new(0),
        }
    }

    /// Whether there is a handler of this name.
    pub(super) fn handles(&self, name: &str) -> bool {
        self.handlers.contains_key(name)
    }

    /// Starts a job, or reports why it cannot start.
    pub(super) fn take(
        &self,
        events: &EventSender,
        position: &Position,
        by: &HookId,
        job: BackgroundJob,
    ) {
        let (hook, name) = (by.to_string(), job.name.clone());
        if let Err(reason) = self.start(events, position, by, job) {
            tracing::warn!(hook, job = name, "a job is skipped: {reason}");
            events.emit_at(position, || AgentEvent::JobSkipped { hook, name, reason });
        }
    }

    fn start(
        &self,
        events: &EventSender,
        position: &Position,
        by: &HookId,
        job: BackgroundJob,
    ) -> Result<(), String> {
        let handler = self.handlers.get(&job.name).cloned();
        let handler = handler.ok_or("no handler is registered under its name")?;
        let input = serde_json::from_str(&job.input).map_err(|e| e.to_string())?;
        let runtime = Handle::try_current().map_err(|e| e.to_string())?;
        let unfinished = self
            .unfinished()
            .ok_or_else(|| format!("{MAX_UNFINISHED} jobs are unfinished already"))?;
        let job = Job {
            name: job.name,
            input,
            hook: by.to_string(),
            session_id: position.session_id.to_string(),
        };
        events.emit_at(position, || AgentEvent::JobQueued {
            hook: job.hook.clone(),
            name: job.name.clone(),
        });
        let (events, position, slots) = (events.clone(), position.clone(), self.slots.clone());
        runtime.spawn(async move {
            // Moved in, so that it is dropped when the job ends.
            let _unfinished = unfinished;
            let _slot = slots.acquire().await;
            let (hook, name) = (job.hook.clone(), job.name.clone());
            let started = Instant::now();
            let error = run(&*handler, job).await.err().map(|e| e.to_string());
            events.emit_at(&position, || AgentEvent::JobDone {
                hook,
                name,
                error,
                elapsed_ms: millis(started.elapsed()),
            });
        });
        Ok(())
    }

    fn unfinished(&self) -> Option<Unfinished> {
        let taken = self.unfinished.send_if_modified(|count| {
            let room = *count < MAX_UNFINISHED;
            *count += usize::from(room);
            room
        });
        taken.then(|| Unfinished(self.unfinished.clone()))
    }

    /// Waits until all jobs have ended, but not longer than this. Returns how many have not ended.
    pub(crate) async fn drain(&self, within: Duration) -> usize {
        let mut unfinished = self.unfinished.subscribe();
        let _ = tokio::time::timeout(within, unfinished.wait_for(|count| *count == 0)).await;
        *self.unfinished.borrow()
    }
}

async fn run(handler: &dyn JobHandler, job: Job) -> Result<(), JobError> {
    AssertUnwindSafe(handler.run(job))
        .catch_unwind()
        .await
        .unwrap_or_else(|_| Err(JobError("its handler panicked".into())))
}
