//! What a hook says and does on the side.

use std::sync::{Mutex, MutexGuard, PoisonError};

use portcullis::prompt::{Aside, Contributed};
use portcullis::{HookEvent, HookRun, HookSink, LogLevel, LogLine};
use serde_json::{Value, json};

/// A sink that keeps what a hook says.
#[derive(Debug, Default)]
pub struct Record {
    logs: Mutex<Vec<String>>,
    events: Mutex<Vec<Value>>,
    later: Mutex<Vec<HookRun>>,
    asides: Mutex<Vec<Contributed<Aside>>>,
}

impl Record {
    /// The log lines since they were last taken, as `level: text`.
    pub fn take_logs(&self) -> Vec<String> {
        std::mem::take(&mut *hold(&self.logs))
    }

    /// The events since they were last taken: name and data.
    pub fn take_events(&self) -> Vec<Value> {
        std::mem::take(&mut *hold(&self.events))
    }

    /// The runs that nobody waited for and that have ended since they were last taken.
    pub(super) fn take_later(&self) -> Vec<HookRun> {
        std::mem::take(&mut *hold(&self.later))
    }

    /// What those runs left.
    pub(super) fn take_asides(&self) -> Vec<Contributed<Aside>> {
        std::mem::take(&mut *hold(&self.asides))
    }
}

impl HookSink for Record {
    fn log(&self, line: LogLine<'_>) {
        let level = match line.level {
            LogLevel::Trace => "trace",
            LogLevel::Debug => "debug",
            LogLevel::Info => "info",
            LogLevel::Warn => "warn",
            LogLevel::Error => "error",
            LogLevel::Critical => "critical",
        };
        hold(&self.logs).push(format!("{level}: {}", line.message));
    }

    fn event(&self, event: HookEvent) {
        hold(&self.events).push(json!({"name": event.name, "data": event.data}));
    }

    fn ended_later(&self, _: &str, run: &HookRun) {
        hold(&self.later).push(run.clone());
    }

    fn contributed(&self, _: &str, asides: &[Contributed<Aside>]) {
        hold(&self.asides).extend_from_slice(asides);
    }
}

// A panic elsewhere leaves the lists whole.
fn hold<T>(list: &Mutex<T>) -> MutexGuard<'_, T> {
    list.lock().unwrap_or_else(PoisonError::into_inner)
}
