//! The fixed properties of a point: the rows of the design's table.

use serde::{Deserialize, Serialize};

/// The order in which a point's hooks run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// Low priority first.
    Forward,
    /// High priority first, so that post hooks wrap pre hooks like an onion (AgentHook).
    Reverse,
}

/// The consequence for the operation when a fail-closed hook fails at a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureRule {
    /// The operation is refused, and the refusal names hook and cause.
    Refuses,
    /// The operation fails, since the point has no refusal.
    Fails,
    /// The operation continues; the failure is recorded and reported.
    NeverFatal,
}

/// The kinds of answer a hook can give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OutcomeKind {
    /// Continue without a change.
    Continue,
    /// Replace the value and continue.
    Transform,
    /// Refuse; the rest of the chain is skipped.
    Reject,
    /// Use this value; the rest of the chain is skipped.
    Replace,
    /// Skip the operation and use this result.
    Answer,
    /// A person must decide.
    Ask,
    /// End the turn without an error.
    Stop,
    /// Keep a turn from ending.
    KeepGoing,
    /// Add contributions of the hook's own.
    Contribute,
}

impl OutcomeKind {
    /// All kinds.
    pub const ALL: [Self; 9] = [
        Self::Continue,
        Self::Transform,
        Self::Reject,
        Self::Replace,
        Self::Answer,
        Self::Ask,
        Self::Stop,
        Self::KeepGoing,
        Self::Contribute,
    ];

    /// Returns the name in WIT, in `hooks.toml` and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Continue => "continue",
            Self::Transform => "transform",
            Self::Reject => "reject",
            Self::Replace => "replace",
            Self::Answer => "answer",
            Self::Ask => "ask",
            Self::Stop => "stop",
            Self::KeepGoing => "keep-going",
            Self::Contribute => "contribute",
        }
    }
}

impl std::fmt::Display for OutcomeKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A row in the table of points.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct PointInfo {
    /// The name, equal to that of the WIT interface.
    pub name: &'static str,
    /// The value that passes the point, in words.
    pub value: &'static str,
    /// The answers that hooks may give.
    pub outcomes: &'static [OutcomeKind],
    /// The order in which hooks run.
    pub order: Order,
    /// The consequence of a fail-closed failure.
    pub failure: FailureRule,
}
