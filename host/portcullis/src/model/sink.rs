//! Where hooks' log lines and events go.

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

/// How much a log line matters: the levels of `wasi:logging`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LogLevel {
    /// Details of one call.
    Trace,
    /// Details.
    Debug,
    /// What happened.
    Info,
    /// Something is odd.
    Warn,
    /// Something failed.
    Error,
    /// A person must look.
    Critical,
}

impl LogLevel {
    /// Its name, in lower case.
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

/// A hook's log line, made harmless for terminals.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct LogLine<'a> {
    /// The hook.
    pub hook: &'a HookId,
    /// How much it matters.
    pub level: LogLevel,
    /// The hook's own grouping.
    pub context: &'a str,
    /// The text.
    pub message: &'a str,
}

impl LogLine<'_> {
    /// The text, behind its grouping if it has one.
    pub fn text(&self) -> Cow<'_, str> {
        match self.context {
            "" => self.message.into(),
            context => format!("{context}: {}", self.message).into(),
        }
    }
}

/// A component entered quarantine, or left it.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct QuarantineChange<'a> {
    /// The hook.
    pub hook: &'a HookId,
    /// The component.
    pub component: Option<Digest>,
    /// The session in whose call it came about; it holds for all of them.
    pub session: &'a str,
    /// The turn, counted from 1; 0 outside of any turn.
    pub turn: u32,
    /// The step, counted from 1; 0 outside of any step.
    pub step: u32,
    /// How it failed last, where it entered; `None` if it left.
    pub cause: Option<Cause>,
    /// How often it failed in a row.
    pub failures: u32,
}

/// A hook's event, sent once its call has succeeded.
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
    /// What the hook says of it: JSON.
    pub data: serde_json::Value,
}

/// A number that no other hook run of the process has. Later ones are larger. What a journal has between runs takes its
/// numbers here too, so that they tell what came first.
pub fn next_run() -> u64 {
    static RUNS: AtomicU64 = AtomicU64::new(1);
    RUNS.fetch_add(1, Ordering::Relaxed)
}

/// A hook run that begins.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct RunStarted<'a> {
    /// Its number: see [`next_run`].
    pub id: u64,
    /// When it begins: see [`RunStarted::began`].
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
    /// The tool call that it is about, if it is about one.
    pub call_id: Option<&'a str>,
    /// The digest of its component, if it is one.
    pub component: Option<Digest>,
    /// The digest of what it is given and may change; only where somebody
    /// [wants it](HookObserver::digests_inputs).
    pub input: Option<Digest>,
    /// Who says what it is given: see [`RunStarted::given`].
    #[serde(skip)]
    pub(crate) gives: &'a dyn Gives,
    /// The span of the call, if it is part of a trace.
    #[serde(skip)]
    pub trace: Option<&'a CallTrace>,
}

impl RunStarted<'_> {
    /// The time at which it began, since 1970. If somebody set the wall clock or the machine slept in the last 20 ms, the
    /// time may be wrong by that much.
    pub fn began(&self) -> Duration {
        moment::since_1970(self.at)
    }

    /// What it is given and may change. Its [digest](Given::digest) can be computed later, on another thread.
    pub fn given(&self) -> Given {
        self.gives.given()
    }

    /// The run's own span, if the call is part of a trace.
    pub fn span(&self) -> Option<TraceContext> {
        Some(self.trace?.of_run(self.point, self.hook))
    }
}

/// A guard that did not do its work: a hook of role gate or transform that failed, was in quarantine,
/// found no room, whose change was not applied, or that was skipped since a hook before it answered.
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
    /// Why.
    pub cause: Cause,
    /// Whether the operation was refused for it. If not, it continued without this guard, or another
    /// hook's answer took its place.
    pub refused: bool,
}

/// Runs cannot be recorded; the text says why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the journal does not have the run: {0}")]
pub struct RecordError(pub String);

/// Where hooks' log lines and events go, and the record of their runs.
pub trait HookObserver: Send + Sync {
    /// Takes a log line.
    fn log(&self, line: LogLine<'_>);

    /// Takes an event.
    fn event(&self, event: HookEvent);

    /// Whether [`HookObserver::host_call`] is to be called. Asked when an instance starts, and when one
    /// that sessions share is called for another session. Default no.
    fn watches_host_calls(&self) -> bool {
        false
    }

    /// A hook has called an import. Called while the hook waits for it: take little time.
    fn host_call(&self, _call: HostCall) {}

    /// Whether the calls of components are to be recorded, for [`HookObserver::call_ended`]. Asked when an instance starts,
    /// before each call of a hook that was granted directories, and before each call of a hook whose instances sessions
    /// share. Sessions that record share instances only with others that record in the same way, so together their
    /// recordings have all calls of these instances. Default no.
    fn records_calls(&self) -> CallRecording {
        CallRecording::Off
    }

    /// A call of a component has ended that is [recorded](Self::records_calls). Follows [`HookObserver::ended`], or
    /// [`HookObserver::on_background_end`]. A call that was dropped is not recorded.
    fn call_ended(&self, _call: RecordedCall) {}

    /// Whether [`HookObserver::started`], [`HookObserver::ended`], [`HookObserver::ran`] and [`HookObserver::abandoned`] are
    /// to be called. Default no.
    fn watches_runs(&self) -> bool {
        false
    }

    /// Whether the runs that are watched have the digest of what the hook is given. It takes time in each call, the more
    /// the larger the value; [`RunStarted::given`] takes next to none. Default: as [`HookObserver::watches_runs`].
    fn digests_inputs(&self) -> bool {
        self.watches_runs()
    }

    /// Whether [`HookObserver::started`] must be called before the hook is. If not, a run that ended soon is reported as
    /// a whole: see [`HookObserver::ran`]. Default: as [`HookObserver::watches_runs`].
    fn watches_starts(&self) -> bool {
        self.watches_runs()
    }

    /// A run begins, or is skipped.
    fn started(&self, _run: &RunStarted<'_>) {}

    /// A run has ended, was skipped, or continues in the background; then
    /// [`HookObserver::on_background_end`] is called too.
    fn ended(&self, _session: &str, _run: &HookRun) {}

    /// A run that was skipped, or that has ended soon: it is of a component that cannot wait, and whose `deadline-ms` is at
    /// most 100. Called in place of [`HookObserver::started`] and [`HookObserver::ended`], which are called for all other
    /// runs: where the chain has to wait for the hook, where the call is part of a trace, and where starts
    /// [are watched](Self::watches_starts). Default: calls both.
    fn ran(&self, start: &RunStarted<'_>, run: &HookRun) {
        self.started(start);
        self.ended(start.session, run);
    }

    /// The call of a run that was [started](Self::started) was dropped before the run ended, as when its turn is
    /// cancelled. `ended` is not called for it.
    fn abandoned(&self, _session: &str, _run: u64) {}

    /// Waits until the runs of a session that were [started](Self::started) are recorded, so that no
    /// crash loses them. Called for hooks that have `write-run = "before-answer"`, after they have
    /// answered and before their answers count. Default: an error, since nothing is recorded.
    ///
    /// # Errors
    ///
    /// They cannot be recorded. The call of the hook fails.
    fn recorded<'a>(&'a self, _session: &'a str) -> BoxFuture<'a, Result<(), RecordError>> {
        let error = RecordError("the host keeps no journal".to_owned());
        Box::pin(std::future::ready(Err(error)))
    }

    /// A run that nobody waited for has ended. Called whether or not runs are watched; where they
    /// are, it was started too.
    fn on_background_end(&self, _session: &str, _run: &HookRun) {}

    /// A guard did not do its work. Called whether or not runs are watched, and whatever the hook's
    /// failure policy.
    fn on_guard_skipped(&self, _: NotRun<'_>) {}

    /// A component enters quarantine, or leaves it. The sink of the session is told in whose call it
    /// came about.
    fn quarantine(&self, _: QuarantineChange<'_>) {}

    /// Hooks were loaded again, and those that were added for this session alone do not fit in: the
    /// session keeps the hooks that it has. Each error is a line that names a hook, the cause and the
    /// fix.
    fn on_reload_rejected(&self, _session: &str, _errors: &[String]) {}

    /// A run that nobody waited for left remarks or jobs. Those of other runs stand in the verdict.
    fn contributed(&self, _session: &str, _asides: &[Contributed<SideOutput>]) {}
}

/// Hands everything to `tracing`, under the target `portcullis::hook`.
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
