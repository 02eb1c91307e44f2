//! The logs, events and detached runs of a hook.

use std::sync::{Mutex, MutexGuard, PoisonError};

use portcullis::observer::{HookEvent, HookObserver, HostCall, LogLine};
use portcullis::prompt::{Contributed, SideOutput};
use portcullis::trace::{TraceEvent, TraceEventKind, Tracer};
use portcullis::verdict::HookRun;
use serde_json::{Value, json};

/// An observer that keeps the logs, events and detached runs.
#[derive(Debug, Default)]
pub struct Record {
    logs: Mutex<Vec<String>>,
    events: Mutex<Vec<Value>>,
    prompts: Mutex<Vec<String>>,
    problems: Mutex<Vec<String>>,
    /// The tracer, if the call is traced.
    tracer: Option<Mutex<Tracer>>,
    later: Mutex<Vec<HookRun>>,
    side_outputs: Mutex<Vec<Contributed<SideOutput>>>,
}

impl Record {
    /// Creates a record that also contains the hook's calls of the host, if `traced`.
    pub(super) fn traced(traced: bool) -> Self {
        Self {
            tracer: traced.then(Mutex::default),
            ..Self::default()
        }
    }

    /// Returns whether the call is traced.
    pub(super) fn is_traced(&self) -> bool {
        self.tracer.is_some()
    }

    /// Begins the trace of a call.
    pub(super) fn begin(&self) {
        self.trace(Tracer::begin);
    }

    /// Takes the call's events; `None` if the call is not traced.
    pub(super) fn take_trace(&self) -> Option<Vec<TraceEvent>> {
        self.tracer.as_ref().map(|tracer| hold(tracer).take())
    }

    pub(super) fn trace(&self, trace: impl FnOnce(&mut Tracer)) {
        if let Some(tracer) = &self.tracer {
            trace(&mut hold(tracer));
        }
    }

    /// Takes the log lines since the last call, as `level: text`.
    pub fn take_logs(&self) -> Vec<String> {
        std::mem::take(&mut *hold(&self.logs))
    }

    /// Takes the events since the last call: name and data.
    pub fn take_events(&self) -> Vec<Value> {
        std::mem::take(&mut *hold(&self.events))
    }

    /// Takes the prompts to the model since the last call.
    pub fn take_prompts(&self) -> Vec<String> {
        std::mem::take(&mut *hold(&self.prompts))
    }

    /// Takes the problems: requests that were not set up.
    pub(super) fn take_problems(&self) -> Vec<String> {
        std::mem::take(&mut *hold(&self.problems))
    }

    pub(super) fn is_missing(&self, problem: String) {
        hold(&self.problems).push(problem);
    }

    pub(super) fn asked(&self, prompt: &str) {
        hold(&self.prompts).push(prompt.to_owned());
    }

    /// Takes the detached runs that have ended since the last call.
    pub(super) fn take_later(&self) -> Vec<HookRun> {
        std::mem::take(&mut *hold(&self.later))
    }

    /// Takes the side outputs of detached runs.
    pub(super) fn take_side_outputs(&self) -> Vec<Contributed<SideOutput>> {
        std::mem::take(&mut *hold(&self.side_outputs))
    }
}

impl HookObserver for Record {
    fn log(&self, line: LogLine<'_>) {
        let level = line.level.name();
        let line = format!("{level}: {}", line.message);
        self.trace(|tracer| tracer.note(TraceEventKind::Log { line: line.clone() }));
        hold(&self.logs).push(line);
    }

    fn watches_host_calls(&self) -> bool {
        self.is_traced()
    }

    fn host_call(&self, call: HostCall) {
        self.trace(|tracer| tracer.call(call));
    }

    fn event(&self, event: HookEvent) {
        hold(&self.events).push(json!({"name": event.name, "data": event.data}));
    }

    fn on_background_end(&self, _: &str, run: &HookRun) {
        hold(&self.later).push(run.clone());
    }

    fn contributed(&self, _: &str, side_outputs: &[Contributed<SideOutput>]) {
        hold(&self.side_outputs).extend_from_slice(side_outputs);
    }
}

// The lists are intact even after a panic elsewhere.
fn hold<T>(list: &Mutex<T>) -> MutexGuard<'_, T> {
    list.lock().unwrap_or_else(PoisonError::into_inner)
}
