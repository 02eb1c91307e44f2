//! The receiver of hooks' log lines and events.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures::future::BoxFuture;
use serde::Serialize;

use crate::model::failure::Cause;
use crate::model::given::{Given, Gives};
use crate::model::hook::HookId;
use crate::model::host_call::HostCall;
use crate::model::moment;
use crate::model::points::PointId;
use crate::model::prompt::{Contributed, SideOutput};
use crate::model::recording::{CallRecording, RecordedCall};
use crate::model::trace_context::{CallTrace, TraceContext};
use crate::model::verdict::{Digest, HookRun};

/// The severity of a log line: the levels of `wasi:logging`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LogLevel {
    /// Details of one call.
    Trace,
    /// Details.
    Debug,
    /// An event in normal operation.
    Info,
    /// An unexpected condition.
    Warn,
    /// A failure.
    Error,
    /// A condition that needs a person's attention.
    Critical,
}

impl LogLevel {
    /// Returns the level's name, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Trace => "trace",
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
            Self::Critical => "critical",
        }
    }
}

/// A hook's log line, made safe for terminals.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct LogLine<'a> {
    /// The hook.
    pub hook: &'a HookId,
    /// The severity.
    pub level: LogLevel,
    /// The hook's own grouping.
    pub context: &'a str,
    /// The text.
    pub message: &'a str,
}

impl LogLine<'_> {
    /// Returns the text, after its grouping if it has one.
    pub fn text(&self) -> Cow<'_, str> {
        match self.context {
            "" => self.message.into(),
            context => format!("{context}: {}", self.message).into(),
        }
    }
}

/// The entry of a component into quarantine, or its exit.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct QuarantineChange<'a> {
    /// The hook.
    pub hook: &'a HookId,
    /// The component.
    pub component: Option<Digest>,
    /// The session whose call caused the change. The change applies to all sessions.
    pub session: &'a str,
    /// The turn, counted from 1; 0 outside of any turn.
    pub turn: u32,
    /// The step, counted from 1; 0 outside of any step.
    pub step: u32,
    /// The last cause of failure, if the component entered; `None` if it left.
    pub cause: Option<Cause>,
    /// The number of failures in a row.
    pub failures: u32,
}

/// A hook's event, sent after its call has succeeded.
#[derive(Debug, Clone, Serialize)]
pub struct HookEvent {
    /// The hook.
    pub hook: HookId,
    /// The session.
    pub session: String,
    /// The turn, counted from 1; 0 outside of any turn.
    pub turn: u32,
    /// The step, counted from 1; 0 outside of any step.
    pub step: u32,
    /// The event's name.
    pub name: String,
    /// The event's data from the hook: JSON.
    pub data: serde_json::Value,
}

/// Returns a number that no other hook run of the process has. Later numbers are larger. Journal
/// entries that are not runs are numbered by this function too, so that the numbers give the order.
pub fn next_run() -> u64 {
    static RUNS: AtomicU64 = AtomicU64::new(1);
    RUNS.fetch_add(1, Ordering::Relaxed)
}

/// The start of a hook run.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct RunStarted<'a> {
    /// The run's number: see [`next_run`].
    pub id: u64,
    /// The time of the start: see [`RunStarted::began`].
    #[serde(skip)]
    pub(crate) at: Instant,
    /// The session.
    pub session: &'a Arc<str>,
    /// The turn, counted from 1; 0 outside of any turn.
    pub turn: u32,
    /// The step, counted from 1; 0 outside of any step.
    pub step: u32,
    /// The point.
    pub point: PointId,
    /// The hook.
    pub hook: &'a HookId,
    /// The attempt at the operation, such as a model call, counted from 1.
    pub attempt: u32,
    /// The id of the tool call, if the run concerns one.
    pub call_id: Option<&'a str>,
    /// The digest of the hook's component, if it is one.
    pub component: Option<Digest>,
    /// The digest of the input that the hook may change; only if an observer [wants
    /// it](HookObserver::digests_inputs).
    pub input: Option<Digest>,
    /// The source of the hook's input: see [`RunStarted::given`].
    #[serde(skip)]
    pub(crate) gives: &'a dyn Gives,
    /// The span of the call, if it is part of a trace.
    #[serde(skip)]
    pub trace: Option<&'a CallTrace>,
}

impl RunStarted<'_> {
    /// Returns the start time, since 1970. If somebody set the wall clock or the machine slept in
    /// the last 20 ms, the time may be wrong by that much.
    pub fn began(&self) -> Duration {
        moment::since_1970(self.at)
    }

    /// Returns the input that the hook may change. Its [digest](Given::digest) can be computed
    /// later, on another thread.
    pub fn given(&self) -> Given {
        self.gives.given()
    }

    /// Returns the run's own span, if the call is part of a trace.
    pub fn span(&self) -> Option<TraceContext> {
        Some(self.trace?.of_run(self.point, self.hook))
    }
}

/// A guard that did not do its work: a hook of role gate or transform. It failed, was in
/// quarantine, found no room, made a change that was not applied, or was skipped since an earlier
/// hook answered.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct NotRun<'a> {
    /// The hook.
    pub hook: &'a HookId,
    /// The point.
    pub point: PointId,
    /// The session.
    pub session: &'a str,
    /// The turn, counted from 1; 0 outside of any turn.
    pub turn: u32,
    /// The step, counted from 1; 0 outside of any step.
    pub step: u32,
    /// The cause.
    pub cause: Cause,
    /// Whether the operation was refused because of this. If not, the operation continued without
    /// this guard, or another hook's answer took its place.
    pub refused: bool,
}

/// An error in recording runs; the text contains the reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the journal does not have the run: {0}")]
pub struct RecordError(pub String);

/// A receiver of hooks' log lines, events and run records.
pub trait HookObserver: Send + Sync {
    /// Receives a log line.
    fn log(&self, line: LogLine<'_>);

    /// Receives an event.
    fn event(&self, event: HookEvent);

    /// Returns whether [`HookObserver::host_call`] is called. The host asks when an instance
    /// starts, and when a shared instance is called for another session. Default no.
    fn watches_host_calls(&self) -> bool {
        false
    }

    /// Receives a hook's call of an import. The hook waits for this function, so it must return
    /// quickly.
    fn host_call(&self, _call: HostCall) {}

    /// Returns whether component calls are recorded, for [`HookObserver::call_ended`]. The host
    /// asks when an instance starts, before each call of a hook that was granted directories, and
    /// before each call of a hook whose instances sessions share. Sessions that record share
    /// instances only with others that record in the same way, so together their recordings contain
    /// all calls of these instances. Default no.
    fn records_calls(&self) -> CallRecording {
        CallRecording::Off
    }

    /// Receives a [recorded](Self::records_calls) component call that has ended. Follows
    /// [`HookObserver::ended`], or [`HookObserver::on_background_end`]. A call that was dropped is
    /// not recorded.
    fn call_ended(&self, _call: RecordedCall) {}

    /// Returns whether [`HookObserver::started`], [`HookObserver::ended`], [`HookObserver::ran`]
    /// and [`HookObserver::abandoned`] are called. Default no.
    fn watches_runs(&self) -> bool {
        false
    }

    /// Returns whether watched runs contain the digest of the hook's input. Computing it takes time
    /// in each call, in proportion to the value's size; [`RunStarted::given`] takes almost none.
    /// Default: as [`HookObserver::watches_runs`].
    fn digests_inputs(&self) -> bool {
        self.watches_runs()
    }

    /// Returns whether [`HookObserver::started`] must be called before the hook. If not, a run that
    /// ended soon is reported as a whole: see [`HookObserver::ran`]. Default: as
    /// [`HookObserver::watches_runs`].
    fn watches_starts(&self) -> bool {
        self.watches_runs()
    }

    /// Receives a run that begins or is skipped.
    fn started(&self, _run: &RunStarted<'_>) {}

    /// Receives a run that has ended, was skipped, or continues in the background. In the last
    /// case, [`HookObserver::on_background_end`] is called too.
    fn ended(&self, _session: &str, _run: &HookRun) {}

    /// Receives a run that was skipped or that ended soon: one of a component that cannot wait, and
    /// whose `deadline-ms` is at most 100. Called in place of [`HookObserver::started`] and
    /// [`HookObserver::ended`]. They are called for all other runs: if the chain has to wait for
    /// the hook, if the call is part of a trace, or if starts [are watched](Self::watches_starts).
    /// Default: calls both.
    fn ran(&self, start: &RunStarted<'_>, run: &HookRun) {
        self.started(start);
        self.ended(start.session, run);
    }

    /// Receives a [started](Self::started) run whose call was dropped before the run ended, for
    /// example because its turn was cancelled. `ended` is not called for it.
    fn abandoned(&self, _session: &str, _run: u64) {}

    /// Waits until the [started](Self::started) runs of a session are recorded, so that no crash
    /// loses them. Called for hooks with `write-run = "before-answer"`, after they have answered
    /// and before their answers count. Default: an error, since nothing is recorded.
    ///
    /// # Errors
    ///
    /// The runs cannot be recorded. The hook's call fails.
    fn recorded<'a>(&'a self, _session: &'a str) -> BoxFuture<'a, Result<(), RecordError>> {
        let error = RecordError("the host keeps no journal".to_owned());
        Box::pin(std::future::ready(Err(error)))
    }

    /// Receives a detached run that has ended. Called whether or not runs are watched. If they are,
    /// `started` was called for the run too.
    fn on_background_end(&self, _session: &str, _run: &HookRun) {}

    /// Receives a guard that did not do its work. Called whether or not runs are watched, and under
    /// any failure policy.
    fn on_guard_skipped(&self, _: NotRun<'_>) {}

    /// Receives a component's entry into quarantine, or its exit. Only the sink of the session
    /// whose call caused the change is called.
    fn quarantine(&self, _: QuarantineChange<'_>) {}

    /// Receives the errors of a reload whose hooks do not fit the hooks that were added for this
    /// session alone. The session keeps its hooks. Each error is a line with a hook, the cause and
    /// the fix.
    fn on_reload_rejected(&self, _session: &str, _errors: &[String]) {}

    /// Receives the notes and jobs of a detached run. Those of other runs are in the verdict.
    fn contributed(&self, _session: &str, _asides: &[Contributed<SideOutput>]) {}
}

/// A sink that sends everything to `tracing`, under the target `portcullis::hook`.
#[derive(Debug, Clone, Copy, Default)]
pub struct TracingSink;

impl HookObserver for TracingSink {
    fn log(&self, line: LogLine<'_>) {
        macro_rules! emit {
            ($level:ident) => {
                tracing::event!(
                    target: "portcullis::hook",
                    tracing::Level::$level,
                    hook = %line.hook,
                    context = line.context,
                    "{}",
                    line.message
                )
            };
        }
        match line.level {
            LogLevel::Trace => emit!(TRACE),
            LogLevel::Debug => emit!(DEBUG),
            LogLevel::Info => emit!(INFO),
            LogLevel::Warn => emit!(WARN),
            LogLevel::Error | LogLevel::Critical => emit!(ERROR),
        }
    }

    fn event(&self, event: HookEvent) {
        tracing::info!(
            target: "portcullis::hook",
            hook = %event.hook,
            session = event.session,
            event = event.name,
            data = %event.data,
        );
    }
}
