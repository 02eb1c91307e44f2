//! One job, from the queue to its end.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use futures::FutureExt as _;
use tokio::sync::Semaphore;

use super::runner::{Unfinished, skipped};
use super::{Job, JobError, JobHandler, JobId, JobStore};
use crate::basics::units::millis;
use crate::events::{AgentEvent, EventSender, Position};

/// A job and its inputs.
pub(super) struct Run {
    pub(super) job: Job,
    pub(super) handler: Arc<dyn JobHandler>,
    pub(super) store: Option<Arc<dyn JobStore>>,
    pub(super) slots: Arc<Semaphore>,
    pub(super) events: EventSender,
    pub(super) position: Position,
    /// Dropped when the job has ended.
    pub(super) _unfinished: Unfinished,
}

impl Run {
    /// Stores the job, and reports it as queued. A failure of the store is logged: the job runs
    /// now, and is lost if the process ends first.
    pub(super) async fn store(&self) -> Option<JobId> {
        let id = match &self.store {
            None => None,
            Some(store) => match store.add(&self.job).await {
                Ok(id) => Some(id),
                Err(error) => {
                    self.warn(&error);
                    None
                }
            },
        };
        self.queued();
        id
    }

    /// Reports the job as queued.
    pub(super) fn queued(&self) {
        self.events
            .emit_at(&self.position, || AgentEvent::JobQueued {
                hook: self.job.hook.clone(),
                name: self.job.name.clone(),
                attempt: self.job.attempt,
            });
    }

    /// Runs the job when its turn comes.
    pub(super) async fn run(mut self, id: Option<JobId>) {
        let slots = self.slots.clone();
        let _slot = slots.acquire().await;
        let stored = self.store.clone().zip(id);
        if let Some((store, id)) = &stored {
            match store.start(*id).await {
                Ok(Some(attempt)) => self.job.attempt = attempt,
                Ok(None) => return self.skip("it was deleted, or another process has it now"),
                Err(error) => self.warn(&error),
            }
        }
        let started = Instant::now();
        let ended = handle(&*self.handler, self.job.clone()).await;
        let (elapsed_ms, error) = (
            millis(started.elapsed()),
            ended.err().map(|e| e.to_string()),
        );
        if let Some((store, id)) = &stored
            && let Err(error) = store.end(*id, error.as_deref()).await
        {
            self.warn(&error);
        }
        let Job {
            hook,
            name,
            attempt,
            ..
        } = self.job;
        self.events.emit_at(&self.position, || AgentEvent::JobDone {
            hook,
            name,
            attempt,
            error,
            elapsed_ms,
        });
    }

    fn skip(self, reason: &str) {
        let Job { hook, name, .. } = self.job;
        skipped(&self.events, &self.position, hook, name, reason.into());
    }

    fn warn(&self, error: &dyn std::error::Error) {
        let Job { hook, name, .. } = &self.job;
        tracing::warn!(hook, job = name, "{error}");
    }
}

async fn handle(handler: &dyn JobHandler, job: Job) -> Result<(), JobError> {
    AssertUnwindSafe(handler.run(job))
        .catch_unwind()
        .await
        .unwrap_or_else(|_| Err(JobError("its handler panicked".into())))
}
