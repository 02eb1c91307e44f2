//! The observer of a session's hooks, which also records their runs in a journal.

use std::sync::Arc;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use portcullis::observer::{
    HookEvent, HookObserver, HostCall, LogLine, NotRun, QuarantineChange, RecordError, RunStarted,
};
use portcullis::prompt::{Contributed, SideOutput};
use portcullis::recording::{CallRecording, RecordedCall};
use portcullis::verdict::HookRun;

use super::{JournalRuns, RunRecorder};

/// Passes the reports of one session's hooks to another observer, and their runs to a journal, if
/// there is one.
pub struct JournalObserver {
    to: Arc<dyn HookObserver>,
    /// Whether the other one watches runs.
    to_watches: bool,
    runs: Option<JournalRuns>,
}

impl JournalObserver {
    /// Reports to `to` and to the journal.
    pub fn new(to: Arc<dyn HookObserver>, journal: Option<Arc<dyn RunRecorder>>) -> Self {
        Self {
            to_watches: to.watches_runs(),
            to,
            runs: journal.map(JournalRuns::new),
        }
    }

    /// Whether the journal records calls. If so, the other observer gets none: a call goes to one of them.
    fn journal_records_calls(&self) -> CallRecording {
        let runs = self.runs.as_ref();
        runs.map_or(CallRecording::Off, JournalRuns::records_calls)
    }
}

// A method added to the trait must be forwarded too.
#[deny(clippy::missing_trait_methods)]
impl HookObserver for JournalObserver {
    fn log(&self, line: LogLine<'_>) {
        self.to.log(line);
    }

    fn event(&self, event: HookEvent) {
        self.to.event(event);
    }

    fn watches_runs(&self) -> bool {
        self.runs.is_some() || self.to_watches
    }

    fn digests_inputs(&self) -> bool {
        // The journal computes them elsewhere.
        self.to_watches && self.to.digests_inputs()
    }

    fn started(&self, run: &RunStarted<'_>) {
        if let Some(runs) = &self.runs {
            runs.started(run);
        }
        if self.to_watches {
            self.to.started(run);
        }
    }

    fn watches_starts(&self) -> bool {
        self.to_watches && self.to.watches_starts()
    }

    fn ran(&self, start: &RunStarted<'_>, run: &HookRun) {
        if let Some(runs) = &self.runs {
            runs.ran(start, run);
        }
        if self.to_watches {
            self.to.ran(start, run);
        }
    }

    fn ended(&self, session: &str, run: &HookRun) {
        if let Some(runs) = &self.runs {
            runs.ended(run);
        }
        if self.to_watches {
            self.to.ended(session, run);
        }
    }

    fn abandoned(&self, session: &str, run: u64) {
        if let Some(runs) = &self.runs {
            runs.abandoned(run);
        }
        if self.to_watches {
            self.to.abandoned(session, run);
        }
    }

    fn records_calls(&self) -> CallRecording {
        match self.journal_records_calls() {
            CallRecording::Off => self.to.records_calls(),
            journal => journal,
        }
    }

    fn call_ended(&self, call: RecordedCall) {
        match &self.runs {
            Some(runs) if self.journal_records_calls().is_on() => runs.called(call),
            _ => self.to.call_ended(call),
        }
    }

    fn recorded<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<(), RecordError>> {
        async move {
            match &self.runs {
                Some(runs) => runs.committed(session).await.map_err(RecordError),
                None => Err(RecordError("the host keeps no journal".to_owned())),
            }
        }
        .boxed()
    }

    fn watches_host_calls(&self) -> bool {
        self.to.watches_host_calls()
    }

    fn host_call(&self, call: HostCall) {
        self.to.host_call(call);
    }

    fn on_background_end(&self, session: &str, run: &HookRun) {
        if let Some(runs) = &self.runs {
            runs.ended_detached(run);
        }
        self.to.on_background_end(session, run);
    }

    fn on_guard_skipped(&self, guard: NotRun<'_>) {
        self.to.on_guard_skipped(guard);
    }

    fn quarantine(&self, change: QuarantineChange<'_>) {
        self.to.quarantine(change);
    }

    fn on_reload_rejected(&self, session: &str, errors: &[String]) {
        self.to.on_reload_rejected(session, errors);
    }

    fn contributed(&self, session: &str, outputs: &[Contributed<SideOutput>]) {
        self.to.contributed(session, outputs);
    }
}
