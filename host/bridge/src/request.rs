//! The request of a caller.

use portcullis::approval::ApprovalDecision;
use portcullis::contract::Context;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A call of a point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct CallRequest {
    /// The point's name, such as `pre-tool-call`.
    pub point: String,
    /// Where in the agent's life the call is.
    pub context: CallContext,
    /// The point's facts, as one object with the names of the contract.
    pub input: Value,
    /// The data that hooks may see, each view under its name. Default: none. A view that is left out is
    /// empty.
    #[serde(default = "no_views")]
    pub views: Value,
}

fn no_views() -> Value {
    Value::Object(serde_json::Map::new())
}

/// Where in the agent's life a call is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct CallContext {
    /// The session: 1 to 256 bytes without control characters. It is opened at its first call.
    pub session_id: String,
    /// The name of the agent.
    pub agent: String,
    /// The turn, counted from 1; 0 outside of any turn. Default 0.
    #[serde(default)]
    pub turn: u32,
    /// The step within the turn, counted from 1; 0 outside of any step. Default 0.
    #[serde(default)]
    pub step: u32,
}

impl CallContext {
    /// Outside of any turn.
    pub fn new(session_id: impl Into<String>, agent: impl Into<String>) -> Self {
        Self {
            session_id: session_id.into(),
            agent: agent.into(),
            turn: 0,
            step: 0,
        }
    }

    /// The same, in this turn.
    pub fn turn(self, turn: u32) -> Self {
        Self { turn, ..self }
    }

    /// The same, in this step.
    pub fn step(self, step: u32) -> Self {
        Self { step, ..self }
    }
}

impl From<CallContext> for Context {
    fn from(context: CallContext) -> Self {
        let CallContext {
            session_id,
            agent,
            turn,
            step,
        } = context;
        Self {
            session_id,
            agent,
            turn,
            step,
        }
    }
}

/// A person's answer to the questions of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct AnswerRequest {
    /// The session.
    pub session_id: String,
    /// The id of the call that waits: that of [`Decision::Pending`](crate::Decision::Pending).
    pub id: u64,
    /// The person's decision about the first question.
    pub decision: ApprovalDecision,
}
