//! A sink that remembers everything.

use std::sync::{Mutex, MutexGuard, PoisonError};

use portcullis::observer::{
    HookEvent, HookObserver, LogLine, NotRun, QuarantineChange, RunStarted,
};
use portcullis::prompt::{Contributed, SideOutput};
use portcullis::verdict::{Cause, Digest, HookRun};

/// A sink that watches runs and records every event that it receives.
#[derive(Debug, Default)]
pub struct Watcher {
    logged: Mutex<Vec<String>>,
    started: Mutex<Vec<Started>>,
    ended: Mutex<Vec<HookRun>>,
    side_outputs: Mutex<Vec<Contributed<SideOutput>>>,
    events: Mutex<Vec<HookEvent>>,
    not_run: Mutex<Vec<(String, Cause, bool)>>,
    quarantine: Mutex<Vec<(String, Option<Cause>)>>,
    on_reload_rejected: Mutex<Vec<String>>,
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
    /// The digest of its input.
    pub input: Option<Digest>,
}

impl Watcher {
    /// Returns the log lines.
    pub fn logged(&self) -> Vec<String> {
        hold(&self.logged).clone()
    }

    /// Returns the starts.
    pub fn starts(&self) -> Vec<Started> {
        hold(&self.started).clone()
    }

    /// Returns the ends.
    pub fn ends(&self) -> Vec<HookRun> {
        hold(&self.ended).clone()
    }

    /// Returns the hooks' own events.
    pub fn events(&self) -> Vec<HookEvent> {
        hold(&self.events).clone()
    }

    /// Returns the guards that did not run: the hook, the cause, and whether the operation was
    /// refused because of it.
    pub fn not_run(&self) -> Vec<(String, Cause, bool)> {
        hold(&self.not_run).clone()
    }

    /// Returns the hooks that entered quarantine, with the cause, or left it.
    pub fn quarantine(&self) -> Vec<(String, Option<Cause>)> {
        hold(&self.quarantine).clone()
    }

    /// Returns the reasons why the session kept its previous hooks.
    pub fn on_reload_rejected(&self) -> Vec<String> {
        hold(&self.on_reload_rejected).clone()
    }

    /// Returns the contributions of background runs.
    pub fn side_outputs(&self) -> Vec<Contributed<SideOutput>> {
        hold(&self.side_outputs).clone()
    }
}

impl HookObserver for Watcher {
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

    fn on_background_end(&self, session: &str, run: &HookRun) {
        self.ended(session, run);
    }

    fn on_guard_skipped(&self, run: NotRun<'_>) {
        hold(&self.not_run).push((run.hook.to_string(), run.cause, run.refused));
    }

    fn quarantine(&self, change: QuarantineChange<'_>) {
        hold(&self.quarantine).push((change.hook.to_string(), change.cause));
    }

    fn on_reload_rejected(&self, _: &str, errors: &[String]) {
        hold(&self.on_reload_rejected).push(errors.join("\n"));
    }

    fn contributed(&self, _: &str, side_outputs: &[Contributed<SideOutput>]) {
        hold(&self.side_outputs).extend_from_slice(side_outputs);
    }
}

fn hold<T>(list: &Mutex<T>) -> MutexGuard<'_, T> {
    list.lock().unwrap_or_else(PoisonError::into_inner)
}
