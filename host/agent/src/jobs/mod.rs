//! What hooks contribute on the side: remarks, and work that nobody waits for.
//!
//! A remark becomes an event. A job goes to the handler that the embedder has registered under its
//! name; it runs outside of any turn, and its beginning and end are events. A job that cannot run is
//! an event too.

mod handler;
mod runner;

use std::sync::Arc;

use portcullis::contract::AuditNote;
use portcullis::prompt::{Aside, Contributed};
use portcullis::{HookEvent, HookId, HookRun, HookSink, LogLine, RunStarted};

pub use handler::{Job, JobError, JobHandler};
pub(crate) use runner::Jobs;

use crate::events::{AgentEvent, Emitted, EventSender};

/// Where in a session an aside was made.
#[derive(Debug, Clone)]
pub(crate) struct Origin {
    pub(crate) session_id: Arc<str>,
    pub(crate) turn: u32,
    pub(crate) step: u32,
}

/// Takes what hooks contribute on the side; and, as a session's sink, what its hooks say when
/// nobody waits for them. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Asides {
    events: EventSender,
    pub(crate) jobs: Arc<Jobs>,
}

impl Asides {
    pub(crate) fn new(events: EventSender, jobs: Jobs) -> Self {
        Self {
            events,
            jobs: Arc::new(jobs),
        }
    }

    pub(crate) fn take(&self, origin: &Origin, asides: Vec<Contributed<Aside>>) {
        for Contributed { by, value } in asides {
            match value {
                Aside::Note(note) => self.note(origin, &by, note),
                Aside::Job(job) => self.jobs.take(&self.events, origin.clone(), &by, job),
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

impl HookSink for Asides {
    fn log(&self, line: LogLine<'_>) {
        self.events.log(line);
    }

    fn event(&self, event: HookEvent) {
        self.events.event(event);
    }

    fn watches_runs(&self) -> bool {
        self.events.watches_runs()
    }

    fn started(&self, run: &RunStarted<'_>) {
        self.events.started(run);
    }

    fn ended(&self, session: &str, run: &HookRun) {
        self.events.ended(session, run);
    }

    fn contributed(&self, session: &str, asides: &[Contributed<Aside>]) {
        // The turn of a run in the background may be over by now, and the sink is not told which
        // it was.
        let origin = Origin {
            session_id: session.into(),
            turn: 0,
            step: 0,
        };
        self.take(&origin, asides.to_vec());
    }
}
