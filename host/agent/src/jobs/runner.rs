//! Running jobs outside of any turn.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use portcullis::HookId;
use portcullis::contract::BackgroundJob;
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, oneshot, watch};

use super::run::Run;
use super::{Job, JobHandler, JobStore, JobStoreError, MAX_JOB_ATTEMPTS, TakenOver};
use crate::events::{AgentEvent, EventSender, Position};

/// The maximum number of jobs that run at a time, so that they do not starve turns.
const MAX_RUNNING: usize = 4;

/// The maximum number of unfinished jobs, so that a hook cannot fill the memory with jobs.
const MAX_UNFINISHED: usize = 256;

/// The handlers, and their unfinished jobs.
pub(crate) struct Jobs {
    handlers: BTreeMap<String, Arc<dyn JobHandler>>,
    store: Option<Arc<dyn JobStore>>,
    slots: Arc<Semaphore>,
    unfinished: watch::Sender<usize>,
}

/// Counts a job as finished when it is dropped.
pub(super) struct Unfinished(watch::Sender<usize>);

impl Drop for Unfinished {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}

impl Jobs {
    pub(crate) fn new(
        handlers: BTreeMap<String, Arc<dyn JobHandler>>,
        store: Option<Arc<dyn JobStore>>,
    ) -> Self {
        Self {
            handlers,
            store,
            slots: Arc::new(Semaphore::new(MAX_RUNNING)),
            unfinished: watch::Sender::new(0),
        }
    }

    /// Returns whether there is a handler with this name.
    pub(super) fn handles(&self, name: &str) -> bool {
        self.handlers.contains_key(name)
    }

    /// Starts a job, or reports why it cannot start. The receiver completes when the job is stored.
    pub(super) fn take(
        &self,
        events: &EventSender,
        position: &Position,
        root: &str,
        by: &HookId,
        job: BackgroundJob,
    ) -> Option<oneshot::Receiver<()>> {
        let (hook, name) = (by.to_string(), job.name.clone());
        match self.queue(events, position, root, by, job) {
            Ok(stored) => Some(stored),
            Err(reason) => {
                skipped(events, position, hook, name, reason);
                None
            }
        }
    }

    fn queue(
        &self,
        events: &EventSender,
        position: &Position,
        root: &str,
        by: &HookId,
        job: BackgroundJob,
    ) -> Result<oneshot::Receiver<()>, String> {
        let input = serde_json::from_str(&job.input).map_err(|e| e.to_string())?;
        let job = Job {
            name: job.name,
            input,
            hook: by.to_string(),
            session_id: position.session_id.to_string(),
            root_session: root.to_owned(),
            attempt: 1,
        };
        let runtime = Handle::try_current().map_err(|e| e.to_string())?;
        let run = self.run(events, position, job)?;
        let (done, stored) = oneshot::channel();
        runtime.spawn(async move {
            let id = run.store().await;
            // The receiver may be dropped with its turn.
            let _ = done.send(());
            run.run(id).await;
        });
        Ok(stored)
    }

    fn run(&self, events: &EventSender, position: &Position, job: Job) -> Result<Run, String> {
        let handler = self.handlers.get(&job.name).cloned();
        let handler = handler.ok_or("no handler is registered under its name")?;
        let unfinished = self
            .unfinished()
            .ok_or_else(|| format!("{MAX_UNFINISHED} jobs are unfinished already"))?;
        Ok(Run {
            job,
            handler,
            store: self.store.clone(),
            slots: self.slots.clone(),
            events: events.clone(),
            position: position.clone(),
            _unfinished: unfinished,
        })
    }

    /// Resumes the unfinished jobs of processes that ended.
    pub(crate) async fn resume(&self, events: &EventSender) -> Result<(), JobStoreError> {
        let Some(store) = &self.store else {
            return Ok(());
        };
        let names: Vec<&str> = self.handlers.keys().map(String::as_str).collect();
        let room = MAX_UNFINISHED.saturating_sub(*self.unfinished.borrow());
        let TakenOver { again, given_up } = store.take_over(&names, room).await?;
        for job in given_up {
            let position = Position::session(&job.session_id);
            let reason = format!(
                "it was started {MAX_JOB_ATTEMPTS} times, and each time its process ended before it did"
            );
            skipped(events, &position, job.hook, job.name, reason);
        }
        for (id, job) in again {
            let position = Position::session(&job.session_id);
            let (hook, name) = (job.hook.clone(), job.name.clone());
            match self.run(events, &position, job) {
                Ok(run) => {
                    run.queued();
                    tokio::spawn(run.run(Some(id)));
                }
                // The job stays in the store for the next start.
                Err(reason) => skipped(events, &position, hook, name, reason),
            }
        }
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

    /// Returns the number of jobs that have not ended.
    pub(crate) fn count(&self) -> usize {
        *self.unfinished.borrow()
    }

    /// Waits until all jobs have ended, but not longer than this. Returns how many have not ended.
    pub(crate) async fn drain(&self, within: Duration) -> usize {
        let mut unfinished = self.unfinished.subscribe();
        let _ = tokio::time::timeout(within, unfinished.wait_for(|count| *count == 0)).await;
        self.count()
    }
}

/// Reports a job that is not started.
pub(super) fn skipped(
    events: &EventSender,
    position: &Position,
    hook: String,
    name: String,
    reason: String,
) {
    tracing::warn!(hook, job = name, "a job is skipped: {reason}");
    events.emit_at(position, || AgentEvent::JobSkipped { hook, name, reason });
}
