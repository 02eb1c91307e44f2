//! Hook runs as the journal keeps them.

use std::sync::Arc;

use futures::future::BoxFuture;
use parking_lot::Mutex;
use portcullis::observer::RunStarted;
use portcullis::recording::{CallRecording, RecordedCall};
use portcullis::verdict::{HookRun, RunStatus};

use super::hook_record::{HookEnd, HookRan, HookStart};
use super::{RunEnd, RunRecorder, RunState, run_id};

/// The message of a cancelled run.
const CANCELLED: &str = "it was cancelled";

/// Writes the runs of one session's hooks to a journal.
pub(super) struct JournalRuns {
    journal: Arc<dyn RunRecorder>,
    /// The detached runs that have not ended, by their numbers.
    detached: Mutex<Vec<u64>>,
}

impl JournalRuns {
    /// Writes to this journal.
    pub fn new(journal: Arc<dyn RunRecorder>) -> Self {
        Self {
            journal,
            detached: Mutex::default(),
        }
    }

    /// A run has begun.
    pub fn started(&self, run: &RunStarted<'_>) {
        self.journal.hook_began(HookStart::new(run));
    }

    /// A run has ended, and its start was not reported.
    pub fn ran(&self, start: &RunStarted<'_>, run: &HookRun) {
        self.journal.hook_ran(HookRan { start, run });
    }

    /// A run has ended or was detached.
    pub fn ended(&self, run: &HookRun) {
        if matches!(run.status, RunStatus::Backgrounded) {
            self.detached.lock().push(run.id);
        }
        self.end(run, false);
    }

    /// A detached run has ended.
    pub fn ended_detached(&self, run: &HookRun) {
        self.detached.lock().retain(|it| *it != run.id);
        self.end(run, true);
    }

    fn end(&self, run: &HookRun, detached: bool) {
        let end = HookEnd::new(run, detached, || self.journal.keeps_values());
        self.journal.hook_ended(run_id(run.id), end);
    }

    /// Whether calls are recorded.
    pub fn records_calls(&self) -> CallRecording {
        self.journal.records_calls()
    }

    /// A call has ended, after its run.
    pub fn called(&self, call: RecordedCall) {
        self.journal.call(call);
    }

    /// Reports that a run's call was dropped. `ended` is not called for the run.
    pub fn abandoned(&self, run: u64) {
        self.journal.end(run_id(run), cancelled());
    }

    /// Waits until the starts of the session's runs are written.
    ///
    /// # Errors
    ///
    /// One of them is lost; the text says why.
    pub fn committed<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<(), String>> {
        self.journal.committed(session)
    }
}

impl Drop for JournalRuns {
    fn drop(&mut self) {
        // Every running hook holds a reference, so nothing runs any more.
        for run in self.detached.get_mut() {
            self.journal.end(run_id(*run), cancelled());
        }
    }
}

fn cancelled() -> RunEnd {
    RunEnd {
        message: Some(CANCELLED.to_owned()),
        ..RunEnd::of(RunState::Failed)
    }
}
