//! A hook's failures. A failure is never a refusal: a refusal is an answer, and part of a verdict.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::contract::HookError;
use crate::contract::text::sanitize_for_terminal;
use crate::model::limits::TurnLimits;
use crate::model::sink::RecordError;
use crate::model::state::StateStoreError;

/// The code of a failure's cause. It is stable, for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// The hook's code trapped.
    Trap,
    /// The hook used all of its fuel.
    Fuel,
    /// The hook used all of its time, computing or waiting.
    Deadline,
    /// The hook asked for more bytes of memory than allowed.
    Memory,
    /// The hook asked for more table elements than allowed.
    Tables,
    /// The component has more core instances, memories or tables than allowed.
    Instances,
    /// The hook holds more resource handles than allowed.
    Handles,
    /// The host holds more memory for the hook than allowed.
    HostMemory,
    /// The hook called its imports more often than allowed.
    HostCalls,
    /// The hook contributed more in one answer than allowed.
    Contributions,
    /// The hook made more requests than allowed.
    HttpRequests,
    /// The hook's requests sent more bytes than allowed.
    HttpRequestBytes,
    /// The responses were larger than allowed.
    HttpResponseBytes,
    /// The hook gave an answer that the point, its role or the host's checks do not allow.
    BadOutput,
    /// The hook reported a failure.
    GuestError,
    /// The hook could not be started.
    Instantiate,
    /// The hook's command could not be started.
    Spawn,
    /// The hook's command ended in a way that is not an answer.
    Exit,
    /// The hook's command wrote more than allowed.
    TooMuchOutput,
    /// The hook or its host had no room for the call, or no memory.
    Overload,
    /// The turn's hooks had used all of their common budget.
    TurnBudget,
    /// The hook failed too often in a row, and is not called for a while.
    Quarantined,
    /// A grant that the hook uses was revoked while its file did not load.
    Revoked,
    /// The hook did not fail: an earlier hook had replaced the value, so the answer was not
    /// applied.
    Replaced,
    /// The hook did not fail: an earlier hook had answered in place of the operation, so it was not
    /// called.
    Answered,
    /// The store of hooks' state failed.
    StateStore,
    /// The journal could not record the run, and the operator requires the record.
    Journal,
    /// The host itself failed.
    Host,
}

impl Cause {
    /// All causes.
    pub const ALL: [Self; 28] = [
        Self::Trap,
        Self::Fuel,
        Self::Deadline,
        Self::Memory,
        Self::Tables,
        Self::Instances,
        Self::Handles,
        Self::HostMemory,
        Self::HostCalls,
        Self::Contributions,
        Self::HttpRequests,
        Self::HttpRequestBytes,
        Self::HttpResponseBytes,
        Self::BadOutput,
        Self::GuestError,
        Self::Instantiate,
        Self::Spawn,
        Self::Exit,
        Self::TooMuchOutput,
        Self::Overload,
        Self::TurnBudget,
        Self::Quarantined,
        Self::Revoked,
        Self::Replaced,
        Self::Answered,
        Self::StateStore,
        Self::Journal,
        Self::Host,
    ];

    /// Returns the code's text.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Trap => "trap",
            Self::Fuel => "fuel",
            Self::Deadline => "deadline",
            Self::Memory => "memory",
            Self::Tables => "tables",
            Self::Instances => "instances",
            Self::Handles => "handles",
            Self::HostMemory => "host-memory",
            Self::HostCalls => "host-calls",
            Self::Contributions => "contributions",
            Self::HttpRequests => "http-requests",
            Self::HttpRequestBytes => "http-request-bytes",
            Self::HttpResponseBytes => "http-response-bytes",
            Self::BadOutput => "bad-output",
            Self::GuestError => "guest-error",
            Self::Instantiate => "instantiate",
            Self::Spawn => "spawn",
            Self::Exit => "exit",
            Self::TooMuchOutput => "too-much-output",
            Self::Overload => "overload",
            Self::TurnBudget => "turn-budget",
            Self::Quarantined => "quarantined",
            Self::Revoked => "revoked",
            Self::Replaced => "replaced",
            Self::Answered => "answered",
            Self::StateStore => "state-store",
            Self::Journal => "journal",
            Self::Host => "host",
        }
    }

    /// Returns whether the hook reached a limit in `hooks.toml`.
    pub const fn is_limit(self) -> bool {
        matches!(
            self,
            Self::Fuel
                | Self::Deadline
                | Self::Memory
                | Self::Tables
                | Self::Instances
                | Self::Handles
                | Self::HostMemory
                | Self::HostCalls
                | Self::Contributions
                | Self::HttpRequests
                | Self::HttpRequestBytes
                | Self::HttpResponseBytes
        )
    }
}

impl std::fmt::Display for Cause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.code())
    }
}

/// A hook's failure.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// The hook's code trapped; the text is the trap's name.
    #[error("it trapped: {0}")]
    Trap(String),
    /// The hook used all of its fuel.
    #[error("it used up its fuel of {0} (`fuel` of its limits)")]
    Fuel(u64),
    /// The hook computed for longer than allowed.
    #[error("it computed for more than its deadline of {} ms (`deadline-ms` of its limits, or what was left of `wall-ms`)", .0.as_millis())]
    Deadline(Duration),
    /// The hook took longer than allowed, including waiting.
    #[error("it took longer than its {} ms, waiting included (`wall-ms` of its limits, or `timeout-ms` of a script)", .0.as_millis())]
    WallClock(Duration),
    /// The hook asked for more bytes of memory than this.
    #[error("it asked for more than its {0} bytes of memory (`memory-bytes` of its limits)")]
    Memory(usize),
    /// The hook asked for more table elements than this.
    #[error("it asked for more than its {0} table elements (`table-elements` of its limits)")]
    Tables(usize),
    /// The component has more core instances, memories or tables than this.
    #[error(
        "it is made of more than its {0} core instances, memories or tables (`instances` of its limits)"
    )]
    Instances(usize),
    /// The hook holds more resource handles than this.
    #[error("it asked for more than its {0} resource handles (`handles` of its limits)")]
    Handles(usize),
    /// The resources behind the hook's handles need more of the host's memory than is left of this
    /// limit.
    #[error(
        "what the host holds for its handles takes more than what is left of its {0} bytes of memory (`memory-bytes` of its limits)"
    )]
    HostMemory(usize),
    /// The hook called its imports more often than this.
    #[error("it called its imports more than {0} times in one call (`host-calls` of its limits)")]
    HostCalls(u64),
    /// The hook contributed more in one answer than this.
    #[error(
        "it contributed {given} things in one answer, and the limit is {most} (`contributions` of its limits)"
    )]
    Contributions {
        /// The number of contributions.
        given: usize,
        /// The limit.
        most: usize,
    },
    /// The hook made more requests than this.
    #[error("it made more than {0} HTTP requests in one call (`http-requests` of its limits)")]
    HttpRequests(u64),
    /// The hook's requests sent more bytes than this.
    #[error(
        "its HTTP requests sent more than {0} bytes in one call (`http-request-bytes` of its limits)"
    )]
    HttpRequestBytes(u64),
    /// The hook received more bytes than this.
    #[error(
        "it received more than {0} bytes by HTTP in one call (`http-response-bytes` of its limits)"
    )]
    HttpResponseBytes(u64),
    /// The hook gave an answer that is not allowed.
    #[error("its answer is not allowed: {0}")]
    BadOutput(String),
    /// The hook reported a failure.
    #[error("it reports a failure: {0}")]
    Guest(String),
    /// The hook reported that the operator's configuration of it is wrong.
    #[error("it does not take its configuration: {0}")]
    BadConfig(String),
    /// The hook could not be started.
    #[error("it could not be started: {0}")]
    Instantiate(#[source] Box<Failure>),
    /// The hook's command could not be started; the text contains its name and the reason.
    #[error("its command could not be started: {0}")]
    Spawn(String),
    /// The hook's command ended in a way that is not an answer.
    #[error("its command ended with {ending}{}", said.as_ref().map(|said| format!(": {said}")).unwrap_or_default())]
    Exit {
        /// The ending.
        ending: Ending,
        /// The last line that the command wrote to stderr, safe to show.
        said: Option<String>,
    },
    /// The hook's command wrote more than allowed.
    #[error("its command wrote more than {most} bytes to {stream}")]
    TooMuchOutput {
        /// The stream.
        stream: &'static str,
        /// The limit.
        most: usize,
    },
    /// There was no room for the call.
    #[error("there was no room for the call: {0}")]
    Overload(String),
    /// The turn's hooks had used all of their common budget.
    #[error("the hooks of this turn used up their {} ms or their fuel of {}", .0.hooks.as_millis(), .0.fuel)]
    TurnBudget(TurnLimits),
    /// The hook failed too often in a row, and is not called for a while.
    #[error(
        "it is in quarantine {}, after {failures} failures in a row, the last one `{cause}`",
        how_long(.left)
    )]
    Quarantined {
        /// The number of failures.
        failures: u32,
        /// The last cause.
        cause: Cause,
        /// The time until the next attempt; zero while a call is making it.
        left: Duration,
    },
    /// A grant that the hook uses was revoked; the text names the grant.
    #[error(
        "it was not called, because hooks.toml no longer grants what its loaded version uses: {0}; grant it again, or fix the hook's file so that it can be reloaded"
    )]
    Revoked(String),
    /// The store of hooks' state failed, so that no effect of the call remains.
    #[error(transparent)]
    StateStore(#[from] StateStoreError),
    /// The run could not be recorded, so that no effect of the call remains.
    #[error(transparent)]
    Journal(#[from] RecordError),
    /// The host failed.
    #[error("the host failed: {0}")]
    Host(String),
    /// A failure that was read back from a record.
    #[error("{message}")]
    Recorded {
        /// The code of the failure's cause.
        cause: Cause,
        /// The failure's message.
        message: String,
    },
}

/// Formats the remaining time of a quarantine.
fn how_long(left: &Duration) -> String {
    match left.as_millis().div_ceil(1_000) {
        0 => "while another call tries it".to_owned(),
        seconds => format!("for {seconds} s more"),
    }
}

/// A failure's recorded form.
#[derive(Serialize, Deserialize)]
struct Record {
    cause: Cause,
    message: String,
}

impl Serialize for Failure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (cause, message) = (self.cause(), self.to_string());
        Record { cause, message }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Failure {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Record { cause, message } = Record::deserialize(deserializer)?;
        Ok(Self::Recorded { cause, message })
    }
}

/// The ending of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The command exited with this code.
    Code(i32),
    /// This signal ended the command.
    Signal(i32),
}

impl std::fmt::Display for Ending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Code(code) => write!(f, "exit code {code}"),
            Self::Signal(signal) => write!(f, "signal {signal}"),
        }
    }
}

impl Failure {
    /// Returns the cause's code.
    pub fn cause(&self) -> Cause {
        match self {
            Self::Trap(_) => Cause::Trap,
            Self::Fuel(_) => Cause::Fuel,
            Self::Deadline(_) | Self::WallClock(_) => Cause::Deadline,
            Self::Memory(_) => Cause::Memory,
            Self::Tables(_) => Cause::Tables,
            Self::Instances(_) => Cause::Instances,
            Self::Handles(_) => Cause::Handles,
            Self::HostMemory(_) => Cause::HostMemory,
            Self::HostCalls(_) => Cause::HostCalls,
            Self::Contributions { .. } => Cause::Contributions,
            Self::HttpRequests(_) => Cause::HttpRequests,
            Self::HttpRequestBytes(_) => Cause::HttpRequestBytes,
            Self::HttpResponseBytes(_) => Cause::HttpResponseBytes,
            Self::BadOutput(_) => Cause::BadOutput,
            Self::Guest(_) | Self::BadConfig(_) => Cause::GuestError,
            // A limit, or a lack of room, has the same cause before the first call.
            Self::Instantiate(cause) => match cause.cause() {
                cause if cause.is_limit() || cause == Cause::Overload => cause,
                _ => Cause::Instantiate,
            },
            Self::Spawn(_) => Cause::Spawn,
            Self::Exit { .. } => Cause::Exit,
            Self::TooMuchOutput { .. } => Cause::TooMuchOutput,
            Self::Overload(_) => Cause::Overload,
            Self::TurnBudget(_) => Cause::TurnBudget,
            Self::Quarantined { .. } => Cause::Quarantined,
            Self::Revoked(_) => Cause::Revoked,
            Self::StateStore(_) => Cause::StateStore,
            Self::Journal(_) => Cause::Journal,
            Self::Host(_) => Cause::Host,
            Self::Recorded { cause, .. } => *cause,
        }
    }
}

impl From<HookError> for Failure {
    fn from(error: HookError) -> Self {
        match error {
            HookError::BadConfig(text) => Self::BadConfig(sanitize_for_terminal(&text)),
            HookError::Failed(text) => Self::Guest(sanitize_for_terminal(&text)),
        }
    }
}
