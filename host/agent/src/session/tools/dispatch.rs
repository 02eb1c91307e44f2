//! Dispatching an admitted call; running a tool within its grant.

use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use futures::FutureExt as _;
use portcullis::contract::ToolCall;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::call::{Admitted, CallResult, ChildResult, Dispatch, Slot, WaitingCall, WaitingFor};
use super::{progress, replay, subagent};
use crate::effects::Scope;
use crate::events::{AgentEvent, TracePlace};
use crate::journal::NotRun;
use crate::policy::ExecutionGrant;
use crate::session::state::{NO_USAGE, SessionState, StateChanges};
use crate::tool::{ToolError, ToolOutput, ToolRun, ToolState, refusal};

/// How much longer than its grant a tool may run: a tool that keeps the limit itself reports more.
const GRACE: Duration = Duration::from_millis(500);

/// Dispatches a call. `effects` is the scope of this call, which may run beside others.
pub(super) async fn dispatch(session: &SessionState, effects: &Scope, admitted: Admitted) -> Slot {
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
            let ran = replay::run(session, effects, &call, value, grant).await;
            session.trace.tool_ran(&call.id);
            let Ran {
                output,
                changes,
                elapsed,
                not_run,
            } = ran;
            let result = match not_run {
                Some(why) => CallResult::not_run(call, why, output),
                None => CallResult::ran(call, output),
            };
            Slot::from(CallResult {
                arguments: text,
                settled_by_hooks: true,
                elapsed,
                changes,
                ..result
            })
        }
        Dispatch::Answered { arguments, output } => Slot::from(CallResult {
            arguments: arguments.to_string(),
            settled_by_hooks: true,
            ..CallResult::not_run(call, NotRun::HookAnswered, output)
        }),
        Dispatch::Unanswered { by } => {
            let unanswered = refusal::unanswered(&by);
            CallResult::not_run(call, NotRun::HookUnanswered, unanswered).into()
        }
        Dispatch::Subagent { task, grant } => {
            subagent::run(session, effects, call, task, grant).await
        }
        Dispatch::SubagentAnswered { task, output } => Slot::from(CallResult {
            arguments: task,
            child: Some(ChildResult {
                session: None,
                steps: 0,
                usage: NO_USAGE,
            }),
            ..CallResult::not_run(call, NotRun::HookAnswered, output)
        }),
        Dispatch::Wait {
            waiting_for: WaitingFor::Result,
            ..
        } if session.checkpoints().is_none() => {
            let why = "the client runs it, and the session has no checkpoints to wait in";
            CallResult::not_run(call, NotRun::CannotWait, refusal::invalid_call(why)).into()
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

/// The result of a tool run.
#[derive(Serialize, Deserialize)]
pub(super) struct Ran {
    pub(super) output: ToolOutput,
    /// Its changes of the agent's state.
    pub(super) changes: StateChanges,
    pub(super) elapsed: Duration,
    /// Why it did not run now, if it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) not_run: Option<NotRun>,
}

impl Ran {
    /// The output of a tool that has changed nothing.
    pub(super) fn only(output: ToolOutput, elapsed: Duration) -> Self {
        Self {
            output,
            changes: Vec::new(),
            elapsed,
            not_run: None,
        }
    }

    /// The output of a tool that may have run in another process, and did not run again.
    pub(super) fn not_repeated(tool: &str) -> Self {
        Self {
            not_run: Some(NotRun::NotRepeated),
            ..Self::only(refusal::unknown_result(tool), Duration::ZERO)
        }
    }
}

/// Runs a tool. `key` identifies the run to the tool.
pub(super) async fn run_tool(
    session: &SessionState,
    call: &ToolCall,
    arguments: Value,
    grant: ExecutionGrant,
    key: Option<String>,
) -> Ran {
    let started = Instant::now();
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
        key,
        trace: session.trace.within(TracePlace::Tool(&call.id)),
    };
    let tool = within_grant(session, session.prompt.target(&call.name), arguments, run);
    let result = match updates {
        Some(updates) => progress::forward(session, call, updates, tool).await,
        None => tool.await,
    };
    let elapsed = started.elapsed();
    let mut ran = match result {
        Ok(output) => Ran {
            changes: state.changes(),
            ..Ran::only(output, elapsed)
        },
        // Without the changes: the tool may have stopped between two that belong together.
        Err(error) => {
            let failed = ToolOutput::error(format!("The tool failed: {error}"));
            Ran::only(failed, elapsed)
        }
    };
    // Cut here, because a runtime may refuse longer values: the effect would never be recorded.
    let max_bytes = session.shared.context.config.max_tool_output_bytes;
    ran.output.cut(max_bytes);
    ran
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
