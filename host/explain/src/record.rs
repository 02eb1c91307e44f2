//! A journal in memory.

use std::sync::Arc;

use futures::future::BoxFuture;
use parking_lot::Mutex;
use portcullis::recording::{CallRecording, RecordedCall};
use portcullis_agent::{
    EventRow, HookEnd, HookRan, HookStart, RunEnd, RunRecorder, RunRow, RunState,
};

use crate::{Explanation, Records};

/// A journal in memory that keeps values, for a session that is explained by the process that ran it. Cheap to clone.
#[derive(Clone, Default)]
pub struct MemoryJournal(Arc<Mutex<Records>>);

impl MemoryJournal {
    /// Explains a session so far, including its sub-agents' sessions.
    pub fn explain(&self, session: &str) -> Explanation {
        let records = self.0.lock();
        let of = |session: &str| {
            let runs = records
                .runs
                .iter()
                .filter(|(_, row, _)| row.session == session);
            let events = records
                .events
                .iter()
                .filter(|(_, row)| row.session == session);
            Records {
                runs: runs.cloned().collect(),
                events: events.cloned().collect(),
                interrupted: false,
            }
        };
        let read = |session: &str| Ok::<_, std::convert::Infallible>(of(session));
        match Explanation::of(session, &mut { read }) {
            Ok(explanation) => explanation,
            Err(never) => match never {},
        }
    }
}

impl RunRecorder for MemoryJournal {
    fn begin(&self, row: RunRow) {
        let end = RunEnd::of(RunState::Started);
        self.0.lock().runs.push((0, row, end));
    }

    fn end(&self, id: i64, end: RunEnd) {
        let mut records = self.0.lock();
        // An open run is one of the last runs.
        let run = records
            .runs
            .iter_mut()
            .rev()
            .find(|(_, row, _)| row.id == id);
        if let Some((.., open)) = run {
            *open = end;
        }
    }

    fn hook_began(&self, start: HookStart) {
        self.begin(start.row());
    }

    fn hook_ended(&self, id: i64, end: HookEnd) {
        self.end(id, end.end());
    }

    fn hook_ran(&self, ran: HookRan<'_>) {
        let end = ran.end(self.keeps_values()).end();
        self.0.lock().runs.push((0, ran.start().row(), end));
    }

    fn event(&self, event: EventRow) {
        self.0.lock().events.push((0, event));
    }

    fn keeps_values(&self) -> bool {
        true
    }

    fn records_calls(&self) -> CallRecording {
        CallRecording::Off
    }

    fn call(&self, _: RecordedCall) {}

    fn committed<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<(), String>> {
        let error = "this journal does not tell when a run is written";
        Box::pin(std::future::ready(Err(error.to_owned())))
    }
}
