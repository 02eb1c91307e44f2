//! What hooks contribute on the side: remarks, and work that nobody waits for.
//!
//! A remark becomes an event. A job goes to the handler that the embedder has registered under its
//! name; it runs outside of any turn, and its beginning and end are events. A job that cannot run is
//! an event too.

mod handler;
mod runner;

use std::sync::Arc;

use portcullis::HookId;
use portcullis::contract::AuditNote;
use portcullis::prompt::{Aside, Contributed};

pub use handler::{Job, JobError, JobHandler};
pub(crate) use runner::Jobs;

use crate::agent::Shared;
use crate::events::{AgentEvent, Emitted, EventSender};

/// Where in a session an aside was made.
#[derive(Debug, Clone)]
pub(crate) struct Origin {
    pub(crate) session_id: Arc<str>,
    pub(crate) turn: u32,
    pub(crate) step: u32,
}

/// Takes what a session's hooks contribute on the side. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Asides {
    events: EventSender,
    /// The jobs of the agent, then those of the agents above it: their hooks run in its sessions too.
    jobs: Arc<[Arc<Jobs>]>,
}

impl Asides {
    pub(crate) fn new(events: EventSender, agent: &Shared, above: &[Arc<Shared>]) -> Self {
        let above = above.iter().rev().map(|agent| agent.jobs.clone());
        Self {
            events,
            jobs: std::iter::once(agent.jobs.clone()).chain(above).collect(),
        }
    }

    pub(crate) fn take(&self, origin: &Origin, asides: Vec<Contributed<Aside>>) {
        for Contributed { by, value } in asides {
            match value {
                Aside::Note(note) => self.note(origin, &by, note),
                Aside::Job(job) => {
                    let knows = self.jobs.iter().find(|jobs| jobs.handles(&job.name));
                    if let Some(jobs) = knows.or(self.jobs.first()) {
                        jobs.take(&self.events, origin.clone(), &by, job);
                    }
                }
            }
        }
    }

    fn note(&self, origin: &Origin, by: &HookId, note: AuditNote) {
        emit(&self.events, origin, || AgentEvent::Note {
            hook: by.to_string(),
            code: note.code,
            // It was checked when it was taken.
            data: serde_json::from_str(&note.data).unwrap_or_default(),
        });
    }
}

fn emit(events: &EventSender, origin: &Origin, event: impl FnOnce() -> AgentEvent) {
    events.emit(|| {
        let Origin {
            session_id,
            turn,
            step,
        } = origin.clone();
        Emitted::new(session_id, turn, step, event())
    });
}
