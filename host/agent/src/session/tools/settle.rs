//! Settling a call that has its result: the post point, the state, the message.

use std::sync::Arc;

use portcullis::Decision;
use portcullis::contract::{ContentPart, Role, ToolResult};
use portcullis::points::post_subagent::SubagentResult;
use portcullis::points::post_tool_call::ToolOutcome;
use portcullis::points::{PostSubagent, PostToolCall};
use portcullis::tools::ToolCatalog;

use super::call::{CallResult, ChildResult};
use crate::basics::text;
use crate::basics::units::{count, micros, millis};
use crate::events::AgentEvent;
use crate::exchange::TurnError;
use crate::session::fire::{ChangedBy, Decided};
use crate::session::state::SessionState;
use crate::tool::{ToolOutput, refusal};

/// A decided post point, to be observed once the message is committed.
enum PostPoint {
    Tool(Box<Decided<PostToolCall>>),
    Subagent(Box<Decided<PostSubagent>>),
    None,
}

/// Settles a call and commits its result. Returns the tool and the output if that is the turn's.
pub(super) async fn settle(
    session: &mut SessionState,
    mut done: CallResult,
    offered: &Arc<ToolCatalog>,
) -> Result<Option<(String, String)>, TurnError> {
    // A tool's was cut before it was recorded; this is for the outputs of all others.
    let max_bytes = session.shared.context.config.max_tool_output_bytes;
    done.output.cut(max_bytes);
    if let Some(child) = &done.child {
        session.usage.add(&child.usage);
    }
    let mut post_point = match (&done.child, done.settled_by_hooks) {
        (Some(child), _) if session.hooks.serves::<PostSubagent>() => {
            let child = child.clone();
            ask_post_subagent(session, &mut done, child).await
        }
        (None, true) if session.hooks.serves::<PostToolCall>() => {
            ask_post_tool_call(session, &mut done, offered).await
        }
        _ => PostPoint::None,
    };
    let changes = std::mem::take(&mut done.changes);
    let by = ChangedBy::Tool(&done.call);
    session.change_state(by, changes).await?;
    // A hook's answer ends the turn like the tool's result.
    let has_result = done.settled_by_hooks || done.child.is_some();
    let target = session.prompt.target(&done.call.name);
    let finishes =
        has_result && !done.output.is_error && session.shared.finish_tools.contains(target);
    let finished = finishes.then(|| (done.call.name.clone(), done.output.content.clone()));
    commit(session, done).await?;
    match &mut post_point {
        PostPoint::Tool(decided) => session.observe(decided).await,
        PostPoint::Subagent(decided) => session.observe(decided).await,
        PostPoint::None => {}
    }
    Ok(finished)
}

/// Asks the deciding `post-tool-call` hooks.
async fn ask_post_tool_call(
    session: &SessionState,
    done: &mut CallResult,
    offered: &Arc<ToolCatalog>,
) -> PostPoint {
    let outcome = ToolOutcome {
        call_id: done.call.id.clone(),
        name: session.prompt.target(&done.call.name).to_owned(),
        output_bytes: count(done.output.content.len()),
        is_error: done.output.is_error,
        elapsed_us: micros(done.elapsed),
    };
    let decided = session
        .decide::<PostToolCall>(outcome, |views| {
            views.tool_arguments = done.arguments.as_str().into();
            views.tool_output = Some(done.output.content.as_str().into());
            views.tools = offered.clone();
        })
        .await;
    done.output = match decided.by.verdict.decision {
        Decision::Passed => ToolOutput {
            content: decided
                .call
                .views
                .tool_output
                .as_deref()
                .unwrap_or_default()
                .into(),
            is_error: decided.call.subject.is_error,
        },
        Decision::Rejected {
            ref by,
            ref rejection,
        } => refusal::withheld(by, rejection),
        Decision::Failed(ref failed) => refusal::withheld_unchecked(failed),
    };
    PostPoint::Tool(Box::new(decided))
}

/// Asks the deciding `post-subagent` hooks.
async fn ask_post_subagent(
    session: &SessionState,
    done: &mut CallResult,
    child: ChildResult,
) -> PostPoint {
    let result = SubagentResult {
        call_id: done.call.id.clone(),
        agent: done.call.name.clone(),
        session_id: child.session,
        is_error: done.output.is_error,
        output_bytes: count(done.output.content.len()),
        steps: child.steps,
        usage: child.usage,
        elapsed_us: micros(done.elapsed),
    };
    let said = vec![ContentPart::Text(done.output.content.clone())];
    let decided = session
        .decide::<PostSubagent>(result, |views| views.content = Arc::new(said))
        .await;
    match decided.by.verdict.decision {
        Decision::Passed => done.output.content = text::joined(&decided.call.views.content),
        Decision::Failed(ref failed) => done.output = refusal::withheld_unchecked(failed),
    }
    PostPoint::Subagent(Box::new(decided))
}

/// Adds a result to the conversation.
pub(super) async fn commit(session: &mut SessionState, done: CallResult) -> Result<(), TurnError> {
    session.emit(|| AgentEvent::ToolFinished {
        call_id: done.call.id.clone(),
        name: done.call.name.clone(),
        is_error: done.output.is_error,
        ran: done.ran,
        not_run: done.not_run,
        content: done.output.content.clone(),
        elapsed_ms: millis(done.elapsed),
    });
    let result = ToolResult {
        call_id: done.call.id,
        name: done.call.name,
        content: done.output.content,
        is_error: done.output.is_error,
    };
    if result.is_error {
        let error = ContentPart::ToolResult(result.clone());
        session.turn_errors.get_mut().push(error);
    }
    session
        .add_message(Role::Tool, vec![ContentPart::ToolResult(result)])
        .await
        .map(drop)
}
