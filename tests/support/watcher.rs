//! A sink that remembers everything.

use std::sync::{Mutex, MutexGuard, PoisonError};

use portcullis::prompt::{Aside, Contributed};
use portcullis::{
    Cause, Digest, HookEvent, HookRun, HookSink, LoadErrors, LogLine, NotRun, QuarantineChange,
    RunStarted,
};

/// A sink that watches runs and remembers all that it is told.
#[derive(Debug, Default)]
pub struct Watcher {
    logged: Mutex<Vec<String>>,
    started: Mutex<Vec<Started>>,
    ended: Mutex<Vec<HookRun>>,
    asides: Mutex<Vec<Contributed<Aside>>>,
    events: Mutex<Vec<HookEvent>>,
    not_run: Mutex<Vec<(String, Cause, bool)>>,
    quarantine: Mutex<Vec<(String, Option<Cause>)>>,
    not_taken_up: Mutex<Vec<String>>,
}

/// The start of a run.
#[derive(Debug, Clone)]
pub struct Started {
    /// The run's number.
    pub id: u64,
    /// The hook.
    pub hook: String,
    /// The digest of its component.
    pub component: Option<Digest>,
    /// The digest of what it was given.
    pub input: Option<Digest>,
}

impl Watcher {
    /// The log lines.
    pub fn logged(&self) -> Vec<String> {
        hold(&self.logged).clone()
    }

    /// The starts.
    pub fn starts(&self) -> Vec<Started> {
        hold(&self.started).clone()
    }

    /// The ends.
    pub fn ends(&self) -> Vec<HookRun> {
        hold(&self.ended).clone()
    }

    /// The hooks' own events.
    pub fn events(&self) -> Vec<HookEvent> {
        hold(&self.events).clone()
    }

    /// The guards that did not run: hook, cause, whether the operation was refused for it.
    pub fn not_run(&self) -> Vec<(String, Cause, bool)> {
        hold(&self.not_run).clone()
    }

    /// The hooks that entered quarantine, with the cause, or left it.
    pub fn quarantine(&self) -> Vec<(String, Option<Cause>)> {
        hold(&self.quarantine).clone()
    }

    /// Why the session stayed with the hooks that it had.
    pub fn not_taken_up(&self) -> Vec<String> {
        hold(&self.not_taken_up).clone()
    }

    /// What background runs left.
    pub fn asides(&self) -> Vec<Contributed<Aside>> {
        hold(&self.asides).clone()
    }
}

impl HookSink for Watcher {
    fn log(&self, line: LogLine<'_>) {
        hold(&self.logged).push(line.message.to_owned());
    }

    fn event(&self, event: HookEvent) {
        hold(&self.events).push(event);
    }

    fn watches_runs(&self) -> bool {
        true
    }

    fn started(&self, run: &RunStarted<'_>) {
        hold(&self.started).push(Started {
            id: run.id,
            hook: run.hook.to_string(),
            component: run.component,
            input: run.input,
        });
    }

    fn ended(&self, _: &str, run: &HookRun) {
        hold(&self.ended).push(run.clone());
    }

    fn ended_later(&self, session: &str, run: &HookRun) {
        self.ended(session, run);
    }

    fn did_not_run(&self, run: NotRun<'_>) {
        hold(&self.not_run).push((run.hook.to_string(), run.cause, run.refused));
    }

    fn quarantine(&self, change: QuarantineChange<'_>) {
        hold(&self.quarantine).push((change.hook.to_string(), change.cause));
    }

    fn not_taken_up(&self, _: &str, errors: &LoadErrors) {
        hold(&self.not_taken_up).push(errors.to_string());
    }

    fn contributed(&self, _: &str, asides: &[Contributed<Aside>]) {
        hold(&self.asides).extend_from_slice(asides);
    }
}

fn hold<T>(list: &Mutex<T>) -> MutexGuard<'_, T> {
    list.lock().unwrap_or_else(PoisonError::into_inner)
}
