//! The messages between client and worker.

use std::collections::BTreeMap;

use portcullis::trace::TraceContext;
use portcullis_agent::{CheckpointId, PendingCall, Resolution, SuspendReason};
use serde::{Deserialize, Serialize};

/// Returns the name under which a server knows an agent: `agent.` and the agent's name. A server accepts only ASCII
/// letters and digits, `.`, `_` and `-`. If the agent's name has other characters, the result is `agent-x.` and the
/// name's bytes, with every byte but letters and digits as `_` and two hexadecimal digits. No two agents have the same
/// result.
pub fn service_name(agent: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric();
    if agent.bytes().all(|it| is_plain(it) || b"._-".contains(&it)) {
        return format!("agent.{agent}");
    }
    let mut name = "agent-x.".to_owned();
    for byte in agent.bytes() {
        match is_plain(byte) {
            true => name.push(char::from(byte)),
            false => name.push_str(&format!("_{byte:02x}")),
        }
    }
    name
}

/// A turn that a user starts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct TurnRequest {
    /// Identifies the request, and is the key under which its events are found. A request that is sent again with the
    /// same id is the same turn.
    pub id: String,
    /// The user's input.
    pub text: String,
    /// The span that the turn is part of. Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<TraceContext>,
}

/// A suspended turn that is resumed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ResumeRequest {
    /// Identifies the request: see [`TurnRequest::id`].
    pub id: String,
    /// The checkpoint.
    pub checkpoint: CheckpointId,
    /// The answers to the waiting calls, by call id. Answers recorded in the store are added.
    #[serde(default)]
    pub resolutions: BTreeMap<String, Resolution>,
}

/// The outcome of a segment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    tag = "end",
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case"
)]
pub enum Outcome {
    /// The turn has an output.
    Done {
        /// Its text.
        text: String,
    },
    /// The turn waits for a decision or a result from outside.
    Suspended {
        /// The checkpoint.
        checkpoint: CheckpointId,
        /// The reason for the suspension.
        reason: SuspendReason,
        /// The calls that wait.
        pending: Vec<PendingCall>,
        /// The time at which the turn's questions are denied, in milliseconds since the Unix epoch.
        /// None: never.
        until_ms: Option<u64>,
    },
    /// The turn failed, was cancelled or was refused.
    Failed {
        /// The reason, in words.
        error: String,
        /// Whether the turn was cancelled.
        cancelled: bool,
    },
}

impl Outcome {
    /// Returns the outcome of a turn that failed.
    pub(crate) fn failed(error: impl ToString) -> Self {
        Self::Failed {
            error: error.to_string(),
            cancelled: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_only_what_a_server_takes() {
        assert_eq!(service_name("notes"), "agent.notes");
        assert_eq!(service_name("my_agent-2.1"), "agent.my_agent-2.1");
        assert_eq!(service_name("my agent/ü"), "agent-x.my_20agent_2f_c3_bc");
    }

    #[test]
    fn no_two_agents_have_one_name() {
        let agents = [
            "my agent",
            "my_agent",
            "my/agent",
            "my_20agent",
            "my_20agent ",
            "my agent_",
            "x.my_20agent",
            "",
            " ",
            "_20",
        ];
        let names: std::collections::BTreeSet<String> =
            agents.iter().map(|it| service_name(it)).collect();
        assert_eq!(names.len(), agents.len(), "{names:?}");
    }
}
