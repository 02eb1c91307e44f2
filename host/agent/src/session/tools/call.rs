//! A tool call in progress: admitted, waiting, or with its result. Waiting and finished calls are
//! stored in checkpoints, so their field names are part of the checkpoint format.

use std::sync::Arc;
use std::time::Duration;

use portcullis::HookId;
use portcullis::contract::{AskRequest, ToolCall, Usage};
use portcullis::tools::ToolArguments;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::checkpoint::CheckpointId;
use crate::checkpoint::PendingCall;
use crate::journal::NotRun;
use crate::policy::ExecutionGrant;
use crate::tool::ToolOutput;

/// A call that neither the policy nor a hook refused.
pub(crate) struct Admitted {
    pub(super) call: ToolCall,
    pub(super) dispatch: Dispatch,
}

/// The action for an admitted call. Arguments and tasks are as the hooks left them.
pub(super) enum Dispatch {
    /// Run the tool.
    Run {
        arguments: ToolArguments,
        grant: ExecutionGrant,
    },
    /// Take the result that a hook gave in place of the tool.
    Answered {
        arguments: Arc<str>,
        output: ToolOutput,
    },
    /// Fail: this hook offers the tool, and has not answered the call.
    Unanswered { by: HookId },
    /// Run the sub-agent.
    Subagent { task: String, grant: ExecutionGrant },
    /// Take the result that a hook gave in place of the sub-agent.
    SubagentAnswered { task: String, output: ToolOutput },
    /// Wait for a decision or a result from outside.
    Wait {
        arguments: Arc<str>,
        grant: ExecutionGrant,
        waiting_for: WaitingFor,
    },
}

/// A call of the current batch.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum Slot {
    /// It has its result, which is not committed.
    Done(Box<CallResult>),
    /// It waits for a decision or a result from outside.
    Waiting(Box<WaitingCall>),
}

impl From<CallResult> for Slot {
    fn from(result: CallResult) -> Self {
        Self::Done(Box::new(result))
    }
}

impl From<WaitingCall> for Slot {
    fn from(waiting: WaitingCall) -> Self {
        Self::Waiting(Box::new(waiting))
    }
}

/// A call that waits for a decision or a result from outside.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct WaitingCall {
    pub(crate) call: ToolCall,
    /// The arguments as the hooks left them; a sub-agent's task.
    pub(crate) arguments: String,
    pub(crate) grant: ExecutionGrant,
    pub(crate) wants: WaitingFor,
}

/// The reason that a call waits.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum WaitingFor {
    /// A person's decision on hooks' questions, in order.
    Decision(Vec<OpenQuestion>),
    /// The result of a tool that the client runs.
    Result,
    /// A suspended sub-agent.
    Child {
        session: String,
        checkpoint: CheckpointId,
        /// The sub-agent's waiting calls.
        pending: Vec<PendingCall>,
    },
}

/// A hook's question without an answer.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct OpenQuestion {
    pub(crate) hook: String,
    pub(crate) request: AskRequest,
}

/// A call with its result.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct CallResult {
    pub(crate) call: ToolCall,
    pub(crate) arguments: String,
    pub(crate) output: ToolOutput,
    /// Whether `post-tool-call` fires: the result is a tool's, or a hook's in its place.
    pub(crate) settled_by_hooks: bool,
    pub(crate) ran: bool,
    /// Why it did not run, if it did not. Checkpoints of earlier versions do not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) not_run: Option<NotRun>,
    pub(crate) elapsed: Duration,
    /// The tool's changes of the agent's state; `None` removes a key.
    pub(crate) changes: Vec<(String, Option<Value>)>,
    /// The sub-agent, if the call started one.
    pub(crate) child: Option<ChildResult>,
}

/// A sub-agent's result.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ChildResult {
    /// `None` if a hook answered in its place.
    pub(crate) session: Option<String>,
    pub(crate) steps: u32,
    pub(crate) usage: Usage,
}

impl CallResult {
    /// The result of a call that ran.
    pub(crate) fn ran(call: ToolCall, output: ToolOutput) -> Self {
        Self {
            ran: true,
            ..Self::of(call, output)
        }
    }

    /// The result of a call that did not run.
    pub(crate) fn not_run(call: ToolCall, why: NotRun, output: ToolOutput) -> Self {
        Self {
            not_run: Some(why),
            ..Self::of(call, output)
        }
    }

    fn of(call: ToolCall, output: ToolOutput) -> Self {
        Self {
            call,
            arguments: String::new(),
            output,
            settled_by_hooks: false,
            ran: false,
            not_run: None,
            elapsed: Duration::ZERO,
            changes: Vec::new(),
            child: None,
        }
    }
}
