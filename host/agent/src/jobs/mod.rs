//! Hook contributions besides the outcome: notes and background jobs.
//!
//! A note becomes an event. A job runs outside of any turn, in the handler that the embedder has
//! registered under its name; its start and its end are events. A job that cannot run is also an
//! event. With a [`JobStore`], an unfinished job whose process ended is run again by the next
//! process.

mod command;
mod job;
mod run;
mod runner;
mod store;
mod tool;

use std::sync::Arc;

use portcullis::HookId;
use portcullis::contract::AuditNote;
use portcullis::prompt::{Contributed, SideOutput};
use tokio::sync::oneshot;

pub use command::CommandJob;
pub use job::{Job, JobError, JobHandler};
pub(crate) use runner::Jobs;
pub use store::{JobId, JobStore, JobStoreError, MAX_JOB_ATTEMPTS, TakenOver};
pub use tool::ToolJob;

use crate::events::{AgentEvent, EventSender, Position};

/// Takes the notes and jobs of a session's hooks. Cheap to clone.
#[derive(Clone)]
pub(crate) struct SideOutputs {
    events: EventSender,
    /// The jobs of the session's agent, then the jobs of the agents above it, whose hooks run in
    /// the session too.
    jobs: Arc<[Arc<Jobs>]>,
    /// The session of the outermost agent.
    root: Arc<str>,
}

impl SideOutputs {
    pub(crate) fn new(
        events: EventSender,
        jobs: impl Iterator<Item = Arc<Jobs>>,
        root: Arc<str>,
    ) -> Self {
        Self {
            events,
            jobs: jobs.collect(),
            root,
        }
    }

    /// Reports the notes and starts the jobs. The jobs run even if the result is dropped.
    pub(crate) fn take(
        &self,
        position: &Position,
        side_outputs: Vec<Contributed<SideOutput>>,
    ) -> Queued {
        let mut queued = Vec::new();
        for Contributed { by, value } in side_outputs {
            match value {
                SideOutput::Note(note) => self.note(position, &by, note),
                // The session applies the edits. Only a hook that the chain waits for can have
                // edits.
                SideOutput::StateEdits(_) => {}
                SideOutput::Job(job) => {
                    let handled_by = self.jobs.iter().find(|jobs| jobs.handles(&job.name));
                    if let Some(jobs) = handled_by.or(self.jobs.first()) {
                        queued.extend(jobs.take(&self.events, position, &self.root, &by, job));
                    }
                }
            }
        }
        Queued(queued)
    }

    fn note(&self, position: &Position, by: &HookId, note: AuditNote) {
        self.events.emit_at(position, || AgentEvent::Note {
            hook: by.to_string(),
            code: note.code,
            // The host has already checked the data.
            data: serde_json::from_str(&note.data).unwrap_or_default(),
        });
    }
}

/// Jobs that are being stored.
pub(crate) struct Queued(Vec<oneshot::Receiver<()>>);

impl Queued {
    /// Waits until the store has the jobs, or has failed.
    pub(crate) async fn stored(self) {
        for stored in self.0 {
            let _ = stored.await;
        }
    }
}
