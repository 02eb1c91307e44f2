//! How a hook can fail. A failure is never a refusal: a refusal is an answer, and stands in a
//! verdict.

use std::time::Duration;

use serde::Serialize;

use crate::contract::HookError;

/// The code of a failure's cause: stable, for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// The hook's code trapped.
    Trap,
    /// It used up its fuel.
    Fuel,
    /// It used up its time, computing or waiting.
    Deadline,
    /// It asked for more memory, tables or instances than it may have.
    Memory,
    /// It answered what the point, its role or the host's checks do not allow.
    BadOutput,
    /// It said itself that it failed.
    GuestError,
    /// It could not be started.
    Instantiate,
    /// Its command could not be started.
    Spawn,
    /// Its command ended in another way than one that answers.
    Exit,
    /// Its command wrote more than it may.
    TooMuchOutput,
    /// It, or its host, had no room for the call.
    Overload,
    /// The host itself failed.
    Host,
}

impl Cause {
    /// The code's text.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Trap => "trap",
            Self::Fuel => "fuel",
            Self::Deadline => "deadline",
            Self::Memory => "memory",
            Self::BadOutput => "bad-output",
            Self::GuestError => "guest-error",
            Self::Instantiate => "instantiate",
            Self::Spawn => "spawn",
            Self::Exit => "exit",
            Self::TooMuchOutput => "too-much-output",
            Self::Overload => "overload",
            Self::Host => "host",
        }
    }
}

impl std::fmt::Display for Cause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.code())
    }
}

/// A hook's failure.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Failure {
    /// The hook's code trapped; the text is the trap's name.
    #[error("it trapped: {0}")]
    Trap(String),
    /// It used up its fuel.
    #[error("it used up its fuel of {0}")]
    Fuel(u64),
    /// It computed for longer than it may.
    #[error("it computed for more than its deadline of {} ms", .0.as_millis())]
    Deadline(Duration),
    /// It took longer than it may, waiting included.
    #[error("it took longer than its {} ms, waiting included", .0.as_millis())]
    WallClock(Duration),
    /// It asked for more than it may have; the text says of what.
    #[error("it asked for more than its {0}")]
    Memory(String),
    /// It answered what is not allowed.
    #[error("its answer is not allowed: {0}")]
    BadOutput(String),
    /// It said itself that it failed.
    #[error("it reports a failure: {0}")]
    Guest(String),
    /// It says that the operator's configuration of it is wrong.
    #[error("it does not take its configuration: {0}")]
    BadConfig(String),
    /// It could not be started.
    #[error("it could not be started: {0}")]
    Instantiate(#[source] Box<Failure>),
    /// Its command could not be started; the text names it, and says why.
    #[error("its command could not be started: {0}")]
    Spawn(String),
    /// Its command ended in another way than one that answers.
    #[error("its command ended with {ending}{}", said.as_ref().map(|said| format!(": {said}")).unwrap_or_default())]
    Exit {
        /// How it ended.
        ending: Ending,
        /// The last line it wrote to stderr, safe to show.
        said: Option<String>,
    },
    /// Its command wrote more than it may.
    #[error("its command wrote more than {most} bytes to {stream}")]
    TooMuchOutput {
        /// Where to.
        stream: &'static str,
        /// How much it may write.
        most: usize,
    },
    /// There was no room for the call.
    #[error("there was no room for the call: {0}")]
    Overload(String),
    /// The host failed.
    #[error("the host failed: {0}")]
    Host(String),
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// By itself, with this exit code.
    Code(i32),
    /// By this signal.
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
    /// The code of the cause.
    pub fn cause(&self) -> Cause {
        match self {
            Self::Trap(_) => Cause::Trap,
            Self::Fuel(_) => Cause::Fuel,
            Self::Deadline(_) | Self::WallClock(_) => Cause::Deadline,
            Self::Memory(_) => Cause::Memory,
            Self::BadOutput(_) => Cause::BadOutput,
            Self::Guest(_) | Self::BadConfig(_) => Cause::GuestError,
            Self::Instantiate(_) => Cause::Instantiate,
            Self::Spawn(_) => Cause::Spawn,
            Self::Exit { .. } => Cause::Exit,
            Self::TooMuchOutput { .. } => Cause::TooMuchOutput,
            Self::Overload(_) => Cause::Overload,
            Self::Host(_) => Cause::Host,
        }
    }
}

impl From<HookError> for Failure {
    fn from(error: HookError) -> Self {
        match error {
            HookError::BadConfig(text) => Self::BadConfig(crate::text::printable(&text)),
            HookError::Failed(text) => Self::Guest(crate::text::printable(&text)),
        }
    }
}
