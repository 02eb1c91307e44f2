//! Turns that wait for a decision or a result from outside.

use portcullis::approval::ApprovalDecision;
use portcullis::contract::AskRequest;
use serde::{Deserialize, Serialize};

use crate::checkpoint::CheckpointId;
use crate::tool::ToolOutput;

/// A turn that waits for a decision or a result from outside. [`Agent::resume`](crate::Agent::resume)
/// resumes it from its checkpoint, in this process or in another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Suspension {
    /// The checkpoint.
    pub checkpoint: CheckpointId,
    /// What it waits for.
    pub reason: SuspendReason,
    /// The calls that wait, in the order the model asked for them.
    pub pending: Vec<PendingCall>,
}

/// What a turn waits for. If its calls wait for different things, what the first of them waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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
    /// The name in WIT and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::ClientTool => "client-tool",
            Self::Children => "children",
        }
    }
}

/// A call that waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct PendingCall {
    /// The id of the call. A sub-agent's calls have `agent-call-id/call-id`.
    pub call_id: String,
    /// The tool.
    pub tool: String,
    /// The arguments as the hooks left them: the text of a JSON object.
    pub arguments: String,
    /// What it waits for.
    pub wants: Wanted,
}

/// What a call waits for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wanted {
    /// A person's decision, with [`Resolution::Decision`].
    Decision {
        /// The hook that asks.
        hook: String,
        /// What it asks.
        request: Question,
    },
    /// The tool's result, with [`Resolution::Result`].
    Result,
}

/// A hook's question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The question, in one sentence.
    pub question: String,
    /// What the person should know to answer it.
    pub details: Option<String>,
}

impl From<&AskRequest> for Question {
    fn from(request: &AskRequest) -> Self {
        Self {
            question: request.question.clone(),
            details: request.details.clone(),
        }
    }
}

/// What a waiting call waited for.
///
/// ```
/// use std::collections::BTreeMap;
///
/// use portcullis_agent::Resolution;
///
/// let resolutions = BTreeMap::from([
///     ("call-1".to_owned(), Resolution::no("not in production")),
///     ("call-2".to_owned(), Resolution::result("the user chose the red one")),
/// ]);
/// # let _ = resolutions;
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolution {
    /// A person's decision.
    Decision(ApprovalDecision),
    /// The tool's result.
    Result(ToolOutput),
}

impl Resolution {
    /// The person agrees.
    pub fn yes() -> Self {
        Self::Decision(ApprovalDecision::Approve)
    }

    /// The person refuses. The model gets the reason.
    pub fn no(reason: impl Into<String>) -> Self {
        Self::Decision(ApprovalDecision::Deny(reason.into()))
    }

    /// The person agrees to these arguments instead, the text of a JSON object. All hooks see them
    /// before the tool runs.
    pub fn change(arguments: impl Into<String>) -> Self {
        Self::Decision(ApprovalDecision::Edit(arguments.into()))
    }

    /// The output of the client's tool.
    pub fn result(content: impl Into<String>) -> Self {
        Self::Result(ToolOutput::ok(content))
    }
}
