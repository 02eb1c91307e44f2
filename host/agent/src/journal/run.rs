//! The journal's record of one call of one hook.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use portcullis::hooks::Mode;
use portcullis::text::nearest;
use serde::{Deserialize, Serialize};

use super::changes::FieldChange;
use super::would::WouldHave;

/// The state of a hook run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunState {
    /// It has started and not ended.
    Started,
    /// The hook answered.
    Completed,
    /// The hook answered, and its answer was not applied: a hook before it had replaced the value.
    NotApplied,
    /// It was skipped because the chain ended earlier.
    Skipped,
    /// The hook failed.
    Failed,
    /// The hook reached its deadline.
    TimedOut,
    /// It is detached; its end comes later.
    Backgrounded,
    /// Its host died before it ended.
    Lost,
}

impl RunState {
    /// All states.
    pub const ALL: [Self; 8] = [
        Self::Started,
        Self::Completed,
        Self::NotApplied,
        Self::Skipped,
        Self::Failed,
        Self::TimedOut,
        Self::Backgrounded,
        Self::Lost,
    ];

    /// The state's text.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Started => "started",
            Self::Completed => "completed",
            Self::NotApplied => "not-applied",
            Self::Skipped => "skipped",
            Self::Failed => "failed",
            Self::TimedOut => "timed-out",
            Self::Backgrounded => "backgrounded",
            Self::Lost => "lost",
        }
    }

    /// Whether the hook was called, and its call is over.
    pub const fn has_called(self) -> bool {
        matches!(
            self,
            Self::Completed | Self::NotApplied | Self::Failed | Self::TimedOut
        )
    }

    /// Whether the run has not ended.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Started | Self::Backgrounded)
    }
}

impl fmt::Display for RunState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for RunState {
    type Err = UnknownRunState;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|state| state.code() == text)
            .ok_or_else(|| {
                let names = Self::ALL.map(Self::code);
                UnknownRunState {
                    name: text.to_owned(),
                    hint: match nearest(text, names.into_iter()) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!("the states are {}", names.join(", ")),
                    },
                }
            })
    }
}

/// A text that is not a [`RunState`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` is not a state of a hook run; {hint}")]
pub struct UnknownRunState {
    name: String,
    hint: String,
}

/// The facts about a hook run when it starts.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct RunRow {
    /// Its id, unique within the host: see [`next_run_id`](crate::next_run_id).
    pub id: i64,
    /// The session.
    pub session: String,
    /// The turn, counted from 1; 0 outside of turns.
    pub turn: u32,
    /// The step, counted from 1; 0 outside of steps.
    pub step: u32,
    /// The point; `model` for a hook's call to the agent's model.
    pub point: String,
    /// The hook.
    pub hook: String,
    /// The attempt at the operation that the hook is called for, such as a model call that is
    /// retried; counted from 1.
    pub attempt: u32,
    /// The digest of the hook's component; none for native hooks.
    pub component: Option<String>,
    /// The digest of the hook's input.
    pub input: Option<String>,
    /// When it began, in milliseconds since the Unix epoch.
    pub started_ms: u64,
    /// The tool call that it is about, if it is about one.
    pub call_id: Option<String>,
}

/// How a hook run ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct RunEnd {
    /// Its state. After [`RunState::Backgrounded`] another end has to follow.
    pub state: RunState,
    /// The name of the hook's outcome.
    pub outcome: Option<Cow<'static, str>>,
    /// How long it took, in microseconds; `None` if that is not known.
    pub latency_us: Option<u64>,
    /// The fuel it used; `None` if fuel is not counted.
    pub fuel: Option<u64>,
    /// The bytes of memory that the hook's instance had after it; `None` if that is not known, such as of hooks that are no
    /// components and of runs that an earlier version recorded.
    pub memory: Option<u64>,
    /// The code of the cause of its failure.
    pub cause: Option<Cow<'static, str>>,
    /// The code of its refusal.
    pub code: Option<String>,
    /// The reason for its failure or refusal, or its question, in words that may be shown.
    pub message: Option<String>,
    /// The digests of the run's contributions.
    pub contributions: Vec<String>,
    /// The digest of the value before it changed it.
    pub before: Option<String>,
    /// The digest of the value after it changed it.
    pub after: Option<String>,
    /// Whether the operation was refused because it failed.
    pub fatal: bool,
    /// Whether its answer counted: in [`Mode::Audit`] a refusal is one that would have been. `None` if that is
    /// not known, such as of runs that did not end or that an earlier version recorded.
    pub mode: Option<Mode>,
    /// Whether the hook was started again for the run, since its instance had been evicted.
    pub restarted: bool,
    /// The grants that the run used, as written in `hooks.toml`: servers, secrets, shared
    /// namespaces, keys of the agent's state, directories, the model, and the kinds of its
    /// contributions. `None` if unknown, such as for runs that did not end or that an earlier
    /// version recorded.
    pub used: Option<Vec<String>>,
    /// The fields that it changed. `None` if it changed nothing, or the journal keeps no values:
    /// [`RunRecorder::keeps_values`](crate::RunRecorder::keeps_values).
    pub changes: Option<Vec<FieldChange>>,
    /// The fields of its contributions, as JSON pointers into the list of contributions. `None` if
    /// it contributed nothing, if the journal keeps no values, or if an earlier version recorded
    /// it.
    pub added: Option<Vec<FieldChange>>,
    /// The effect that the hook's answer would have had; only in [`Mode::Audit`], and only if there
    /// would have been one. `None` for runs that an earlier version recorded.
    pub would: Option<WouldHave>,
}

impl RunEnd {
    /// An end with nothing but the state.
    pub fn of(state: RunState) -> Self {
        Self {
            state,
            outcome: None,
            latency_us: None,
            fuel: None,
            memory: None,
            cause: None,
            code: None,
            message: None,
            contributions: Vec::new(),
            before: None,
            after: None,
            fatal: false,
            mode: None,
            restarted: false,
            used: None,
            changes: None,
            added: None,
            would: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_round_trip() {
        for state in RunState::ALL {
            assert_eq!(state.code().parse(), Ok(state));
            assert_eq!(
                serde_json::to_value(state).unwrap(),
                serde_json::json!(state.code())
            );
        }
        let error = "gone".parse::<RunState>().unwrap_err();
        assert!(error.to_string().contains("`gone`"), "{error}");
    }
}
