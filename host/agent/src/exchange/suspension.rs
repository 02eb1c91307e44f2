//! Turns that wait for a decision or a result from outside.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::checkpoint::{CheckpointId, PendingCall};

/// A turn that waits for a decision or a result from outside. [`Agent::resume`](crate::Agent::resume)
/// resumes it from its checkpoint, in this process or in another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Suspension {
    /// The checkpoint.
    pub checkpoint: CheckpointId,
    /// The reason for the suspension.
    pub reason: SuspendReason,
    /// The calls that wait, in the order the model asked for them.
    pub pending: Vec<PendingCall>,
    /// The time after which calls without an answer are denied, in milliseconds since the Unix
    /// epoch. `None`: never.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until_ms: Option<u64>,
}

/// The reason that a turn is suspended. If its calls wait for different things, the first call's
/// reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SuspendReason {
    /// A person's decision.
    Human,
    /// A tool that the client runs.
    ClientTool,
    /// A suspended sub-agent.
    Children,
}

impl SuspendReason {
    /// All reasons.
    pub const ALL: [Self; 3] = [Self::Human, Self::ClientTool, Self::Children];

    /// Returns the reason with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.name() == name)
    }

    /// Returns the name in WIT and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::ClientTool => "client-tool",
            Self::Children => "children",
        }
    }

    /// Returns a description of the answer that the turn waits for.
    pub const fn until(self) -> &'static str {
        match self {
            Self::Human => "until a person answers",
            Self::ClientTool => "until the client gives the result of a tool",
            Self::Children => "until a call of a sub-agent has its answer",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_found_by_its_name() {
        for reason in SuspendReason::ALL {
            assert_eq!(SuspendReason::from_name(reason.name()), Some(reason));
            assert_eq!(
                serde_json::to_value(reason).unwrap(),
                serde_json::json!(reason.name())
            );
        }
        assert_eq!(SuspendReason::from_name("weather"), None);
    }
}
