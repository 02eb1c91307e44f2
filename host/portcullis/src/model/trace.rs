//! The host calls of one hook call, in order, for display.

use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::Value;

use crate::model::host_call::HostCall;

/// An event of a hook call.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct TraceEvent {
    /// The kind of event.
    #[serde(flatten)]
    pub what: TraceEventKind,
    /// The time since the end of the previous event, or since the call began, in microseconds.
    pub after_micros: u64,
    /// The duration, in microseconds.
    pub micros: u64,
    /// The fuel that the hook used since the fuel was last known; `None` if it is not known.
    pub fuel: Option<u64>,
}

/// The kind of a trace event.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum TraceEventKind {
    /// The hook called an import.
    Call {
        /// The interface.
        interface: String,
        /// The function.
        function: String,
        /// The arguments.
        arguments: Value,
        /// The result; null if there is an error.
        returned: Value,
        /// The error that ended the hook's call.
        error: Option<String>,
    },
    /// The hook wrote a log line: the level and the text.
    Log {
        /// The line.
        line: String,
    },
    /// A request was answered in place of a server.
    Request {
        /// The request: `method`, `url`, and `status` or `error`.
        request: Value,
    },
}

/// Returns the host calls of a run, in order. The time and the fuel are counted from the first
/// call.
pub fn events(calls: &[HostCall]) -> Vec<TraceEvent> {
    let mut tracer = Tracer::default();
    for call in calls {
        match log_line(call) {
            Some(line) => tracer.push(TraceEventKind::Log { line }, call.began, call.took, None),
            None => tracer.call(call.clone()),
        }
    }
    tracer.events
}

/// The logging interface.
const LOGGING: &str = "wasi:logging/logging";

/// Returns the level and the text of a log line, if the call wrote one.
fn log_line(call: &HostCall) -> Option<String> {
    match call.arguments.as_array()?.as_slice() {
        [level, _, text] if call.interface == LOGGING => {
            Some(format!("{}: {}", level.as_str()?, text.as_str()?))
        }
        _ => None,
    }
}

/// A collector of trace events.
#[derive(Debug, Default)]
pub struct Tracer {
    events: Vec<TraceEvent>,
    last: Option<Instant>,
    fuel: u64,
}

impl Tracer {
    /// Starts a new trace at the beginning of a call.
    pub fn begin(&mut self) {
        *self = Self {
            last: Some(Instant::now()),
            ..Self::default()
        };
    }

    /// Takes the events so far.
    pub fn take(&mut self) -> Vec<TraceEvent> {
        std::mem::take(&mut self.events)
    }

    /// Adds a call of an import.
    pub fn call(&mut self, call: HostCall) {
        // The log line follows as its own event.
        if call.interface == LOGGING {
            return;
        }
        let (returned, error) = match call.returned {
            Ok(value) => (value, None),
            Err(error) => (Value::Null, Some(error)),
        };
        let what = TraceEventKind::Call {
            interface: call.interface,
            function: call.function,
            arguments: call.arguments,
            returned,
            error,
        };
        let fuel = call.fuel.map(|fuel| {
            let since = fuel.saturating_sub(self.fuel);
            self.fuel = fuel;
            since
        });
        self.push(what, call.began, call.took, fuel);
    }

    /// Adds an event without a duration.
    pub fn note(&mut self, what: TraceEventKind) {
        self.push(what, Instant::now(), Duration::ZERO, None);
    }

    fn push(&mut self, what: TraceEventKind, began: Instant, took: Duration, fuel: Option<u64>) {
        let last = self.last.replace(began + took).unwrap_or(began);
        self.events.push(TraceEvent {
            what,
            after_micros: micros(began.saturating_duration_since(last)),
            micros: micros(took),
            fuel,
        });
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
