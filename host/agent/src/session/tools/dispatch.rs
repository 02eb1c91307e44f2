//! Doing what an admitted call asks for; running a tool within its grant.

use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use futures::FutureExt as _;
use portcullis::contract::ToolCall;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::call::{Admitted, CallResult, ChildResult, Dispatch, Slot, WaitingCall, WaitingFor};
use super::{progress, subagent};
use crate::events::AgentEvent;
use crate::policy::ExecutionGrant;
use crate::session::state::{NO_USAGE, SessionState, StateChanges};
use crate::tool::{ToolError, ToolOutput, ToolRun, ToolState, refusal};

/// How much longer than its grant a tool may run: a tool that keeps the limit itself reports more.
const GRACE: Duration = Duration::from_millis(500);

pub(super) async fn dispatch(session: &SessionState, admitted: Admitted) -> Slot {
    let Admitted { call, dispatch } = admitted;
    match dispatch {
        Dispatch::Run { arguments, grant } => {
            let text = arguments.text().to_string();
            let value = arguments.value().clone();
            session.emit(|| AgentEvent::ToolStarted {
                call_id: call.id.clone(),
                name: call.name.clone(),
                arguments: text.clone(),
            });
            let started = Instant::now();
            let (output, changes) = run_tool(session, &call, value, grant).await;
            let elapsed = started.elapsed();
            Slot::from(CallResult {
                arguments: text,
                settled_by_hooks: true,
                ran: true,
                elapsed,
                changes,
                ..CallResult::not_run(call, output)
            })
        }
        Dispatch::Answered { arguments, output } => Slot::from(CallResult {
            arguments: arguments.to_string(),
            settled_by_hooks: true,
            ..CallResult::not_run(call, output)
        }),
        Dispatch::Unanswered { by } => CallResult::not_run(call, refusal::unanswered(&by)).into(),
        Dispatch::Subagent { task, grant } => subagent::run(session, call, task, grant).await,
        Dispatch::SubagentAnswered { task, output } => Slot::from(CallResult {
            arguments: task,
            child: Some(ChildResult {
                session: None,
                steps: 0,
                usage: NO_USAGE,
            }),
            ..CallResult::not_run(call, output)
        }),
        Dispatch::Wait {
            waiting_for: WaitingFor::Result,
            ..
        } if session.checkpoints().is_none() => {
            let why = "the client runs it, and the session has no checkpoints to wait in";
            CallResult::not_run(call, refusal::invalid_call(why)).into()
        }
        Dispatch::Wait {
            arguments,
            grant,
            waiting_for,
        } => Slot::from(WaitingCall {
            call,
            arguments: arguments.to_string(),
            grant,
            wants: waiting_for,
        }),
    }
}

/// Runs a tool. Returns its output and its changes of the agent's state.
async fn run_tool(
    session: &SessionState,
    call: &ToolCall,
    arguments: Value,
    grant: ExecutionGrant,
) -> (ToolOutput, StateChanges) {
    let state = ToolState::new(session.state.get());
    let (progress, updates) = progress::channel(session);
    let cancel = CancellationToken::new();
    // Cancels the tool's token also if this future is dropped.
    let _cancelled_at_the_end = cancel.clone().drop_guard();
    let run = ToolRun {
        grant,
        cancel,
        progress,
        state: state.clone(),
    };
    let tool = within_grant(session, session.prompt.target(&call.name), arguments, run);
    let result = match updates {
        Some(updates) => progress::forward(session, call, updates, tool).await,
        None => tool.await,
    };
    match result {
        Ok(output) => (output, state.changes()),
        // Without the changes: the tool may have stopped between two that belong together.
        Err(error) => (
            ToolOutput::error(format!("The tool failed: {error}")),
            Vec::new(),
        ),
    }
}

/// Runs a tool within its time limit, and catches its panic.
async fn within_grant(
    session: &SessionState,
    name: &str,
    arguments: Value,
    run: ToolRun,
) -> Result<ToolOutput, ToolError> {
    let timeout = run.grant.timeout;
    let tools = &session.shared.context.tools;
    let dispatched = AssertUnwindSafe(tools.dispatch(name, arguments, run));
    match tokio::time::timeout(timeout + GRACE, dispatched.catch_unwind()).await {
        Ok(Ok(result)) => result,
        Ok(Err(_panic)) => {
            tracing::error!(tool = name, "a tool panicked");
            Err(ToolError::Panicked)
        }
        Err(_) => Err(ToolError::Timeout(timeout)),
    }
}
