//! Running a tool within its grant.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::FutureExt as _;
use portcullis::contract::ToolCall;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::{Admitted, ChildResult, Executed, Slot, Todo, WaitingCall, Wants};
use crate::events::AgentEvent;
use crate::policy::ExecutionGrant;
use crate::session::refusal;
use crate::session::running::{NO_USAGE, Running};
use crate::tool::{ToolError, ToolOutput, ToolRun, ToolState};

/// How much longer than its grant a tool is waited for: one that keeps its limit itself can say
/// more about it.
const GRACE: Duration = Duration::from_millis(500);

/// What a tool that ran came to.
pub(super) struct Ran {
    pub(super) output: ToolOutput,
    pub(super) elapsed: Duration,
    pub(super) changes: Vec<(String, Option<Value>)>,
}

impl Running {
    /// Does what is left to do for an admitted call.
    pub(super) async fn execute(&self, admitted: Admitted) -> Slot {
        let Admitted {
            call,
            arguments,
            todo,
        } = admitted;
        match todo {
            Todo::Run(grant) => {
                let ran = self.run_tool(&call, &arguments, grant).await;
                Slot::Done(Box::new(Executed::gave(call, arguments.to_string(), ran)))
            }
            Todo::Given(output) => Slot::Done(Box::new(Executed {
                arguments: arguments.to_string(),
                settled_by_hooks: true,
                ..Executed::told(call, output)
            })),
            Todo::Subagent(grant) => {
                let task = arguments.to_string();
                self.run_subagent(call, task, grant).await
            }
            Todo::GivenChild(output) => Slot::Done(Box::new(Executed {
                arguments: arguments.to_string(),
                child: Some(ChildResult {
                    session: None,
                    steps: 0,
                    usage: NO_USAGE,
                }),
                ..Executed::told(call, output)
            })),
            Todo::Unanswered(by) => {
                let told = refusal::unanswered(&by);
                Slot::Done(Box::new(Executed::told(call, told)))
            }
            Todo::Wait(_, Wants::Result) if self.checkpoints.is_none() => {
                let told =
                    refusal::senseless("the client runs it, and nobody can wait for that here");
                Slot::Done(Box::new(Executed::told(call, told)))
            }
            Todo::Wait(grant, wants) => Slot::Waiting(Box::new(WaitingCall {
                call,
                arguments: arguments.to_string(),
                grant,
                wants,
            })),
        }
    }

    async fn run_tool(&self, call: &ToolCall, arguments: &Arc<str>, grant: ExecutionGrant) -> Ran {
        self.emit(|| AgentEvent::ToolStarted {
            call_id: call.id.clone(),
            name: call.name.clone(),
            arguments: arguments.to_string(),
        });
        let started = Instant::now();
        let state = ToolState::new(self.views.state.clone());
        let (progress, updates) = self.progress();
        let cancel = CancellationToken::new();
        // Also when this future is dropped, the tool hears that nobody waits for it.
        let _cancelled_at_the_end = cancel.clone().drop_guard();
        let run = ToolRun {
            grant,
            cancel,
            progress,
            state: state.clone(),
        };
        let tool = self.dispatch(self.prompt.target(&call.name), arguments, run);
        let output = match updates {
            Some(updates) => self.pump(call, updates, tool).await,
            None => tool.await,
        };
        Ran {
            output,
            elapsed: started.elapsed(),
            changes: state.changes(),
        }
    }

    /// Runs a tool within its grant, whatever the tool does.
    async fn dispatch(&self, name: &str, arguments: &str, run: ToolRun) -> ToolOutput {
        let arguments: Value = match serde_json::from_str(arguments) {
            Ok(arguments) => arguments,
            Err(e) => return failed(&ToolError::Arguments(e.to_string())),
        };
        let timeout = run.grant.timeout;
        let tools = &self.shared.context.tools;
        let dispatched = AssertUnwindSafe(tools.dispatch(name, arguments, run));
        match tokio::time::timeout(timeout + GRACE, dispatched.catch_unwind()).await {
            Ok(Ok(Ok(output))) => output,
            Ok(Ok(Err(error))) => failed(&error),
            Ok(Err(_panic)) => {
                tracing::error!(tool = name, "a tool panicked");
                failed(&ToolError::Panicked)
            }
            Err(_) => failed(&ToolError::Timeout(timeout)),
        }
    }
}

fn failed(error: &ToolError) -> ToolOutput {
    ToolOutput::error(format!("The tool failed: {error}"))
}
