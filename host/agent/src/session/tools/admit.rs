//! Asking the policy and the hooks about a call before it runs.

use std::sync::Arc;

use portcullis::Decision;
use portcullis::approval::{ApprovalDecision, Asked, Pending};
use portcullis::contract::ToolCall;
use portcullis::points::pre_tool_call::{ExecutionGrant as GrantRecord, ToolRequest};
use portcullis::points::{InvalidValue, PreToolCall};
use portcullis::session::CallData;
use portcullis::tools::{ToolArguments, ToolCatalog};

use super::call::{Admitted, CallResult, Dispatch, OpenQuestion, WaitingCall, WaitingFor};
use super::subagent;
use crate::basics::units::{count, millis_u32};
use crate::journal::NotRun;
use crate::policy::{Denial, ExecutionGrant, PolicyRequest};
use crate::session::fire::Decided;
use crate::session::state::SessionState;
use crate::tool::{ToolOutput, refusal};

/// Asks the policy and the hooks about a call. An `Err` is the result of a call that must not run.
pub(super) async fn admit(
    session: &SessionState,
    mut call: ToolCall,
    offered: &Arc<ToolCatalog>,
) -> Result<Admitted, CallResult> {
    session.trace.tool_began(session.position.step, &call);
    call.arguments = ToolArguments::written(&call.arguments).to_owned();
    if offered.get(&call.name).is_none() {
        let refused = refusal::invalid_call(&format!("no tool called `{}` was offered", call.name));
        return Err(CallResult::not_run(call, NotRun::NotOffered, refused));
    }
    let arguments = offered
        .arguments(&call.name, call.arguments.as_str())
        .map_err(|why| invalid(&call, &why))?;
    let text = arguments.text().clone();
    let grant = ask_policy(session, &call, &text).await?;
    if session.shared.subagents.contains_key(&call.name) {
        return subagent::admit(session, call, &arguments, grant).await;
    }
    if !session.hooks.serves::<PreToolCall>() {
        return Ok(passed(session, call, arguments, grant));
    }
    let request = request(session, &call, &text, &grant);
    let offered_as = Some(call.name.as_str().into());
    let decided = session
        .decide::<PreToolCall>(request, |views| {
            views.tool_arguments = text;
            views.tools = offered.clone();
            views.offered_as = offered_as;
        })
        .await;
    decide(session, call, decided, grant, Some(arguments)).await
}

/// Continues with a call that a person has decided on.
pub(super) async fn admit_decided(
    session: &SessionState,
    waiting: WaitingCall,
    questions: Vec<OpenQuestion>,
    says: ApprovalDecision,
    offered: &Arc<ToolCatalog>,
) -> Result<Admitted, CallResult> {
    session
        .trace
        .tool_began(session.position.step, &waiting.call);
    let WaitingCall {
        call,
        arguments,
        grant,
        ..
    } = waiting;
    let mut asked = questions.into_iter().map(|question| Asked {
        by: question.hook.as_str().into(),
        ask: question.request,
    });
    let Some(first) = asked.next() else {
        let refused = refusal::invalid_call("its checkpoint holds no question to decide on");
        return Err(CallResult::not_run(call, NotRun::CannotResume, refused));
    };
    let pending = Pending {
        first,
        rest: asked.collect(),
    };
    let request = request(session, &call, &arguments, &grant);
    let offered_as = Some(call.name.as_str().into());
    let asked_about = session.call::<PreToolCall>(request, |views| {
        views.tool_arguments = arguments.into();
        views.tools = offered.clone();
        views.offered_as = offered_as;
    });
    let decided = session.decided(asked_about, pending.into()).await;
    let decided = session.answer(decided, says).await;
    // Checked again: policy and tools may have changed since the turn was suspended.
    decide(session, call, decided, grant, None).await
}

/// Carries out the hooks' decision. `checked` are the arguments that fit the tool and that the
/// policy granted in this turn.
async fn decide(
    session: &SessionState,
    call: ToolCall,
    mut decided: Decided<PreToolCall>,
    grant: ExecutionGrant,
    checked: Option<ToolArguments>,
) -> Result<Admitted, CallResult> {
    let is_pending = matches!(decided.by.verdict.decision, Decision::Pending(_));
    if is_pending && session.checkpoints().is_none() {
        // Without checkpoints a decision cannot come later.
        let why = "it cannot be decided later: the session has no checkpoints";
        let no = ApprovalDecision::Unanswered(why.into());
        decided = session.answer(decided, no).await;
    }
    if !matches!(decided.by.verdict.decision, Decision::Pending(_)) {
        session.observe(&mut decided).await;
    }
    let CallData { views, .. } = decided.call.into_data();
    let text = views.tool_arguments;
    let dispatch = match decided.by.verdict.decision {
        Decision::Passed => {
            let checked = checked.filter(|checked| *checked.text() == text);
            if let Some(arguments) = checked {
                return Ok(passed(session, call, arguments, grant));
            }
            // Schemas and policy apply to the call that runs, not only to the model's request.
            let arguments = views.tools.arguments(&call.name, text.clone());
            let arguments = arguments.map_err(|why| invalid(&call, &why))?;
            let grant = ask_policy(session, &call, &text).await?;
            return Ok(passed(session, call, arguments, grant));
        }
        Decision::Answered { answer, .. } => Dispatch::Answered {
            arguments: text,
            output: ToolOutput {
                content: answer.content,
                is_error: answer.is_error,
            },
        },
        Decision::Pending(pending) => {
            let questions = std::iter::once(pending.first).chain(pending.rest);
            let questions = questions.map(|asked| OpenQuestion {
                hook: asked.by.to_string(),
                request: asked.ask,
            });
            Dispatch::Wait {
                arguments: text,
                grant,
                waiting_for: WaitingFor::Decision(questions.collect()),
            }
        }
        Decision::Rejected { by, rejection } => {
            let refused = refusal::refused(&by, &rejection);
            return Err(CallResult::not_run(call, NotRun::HookRefused, refused));
        }
        Decision::Failed(failed) => {
            let blocked = refusal::blocked(&failed);
            return Err(CallResult::not_run(call, NotRun::HookFailed, blocked));
        }
    };
    Ok(Admitted { call, dispatch })
}

/// Returns the next action for a call that the hooks allowed.
fn passed(
    session: &SessionState,
    call: ToolCall,
    arguments: ToolArguments,
    grant: ExecutionGrant,
) -> Admitted {
    let dispatch = if let Some(by) = session.prompt.answerer(&call.name) {
        Dispatch::Unanswered { by: by.clone() }
    } else if session.shared.client_tools.contains(&call.name) {
        Dispatch::Wait {
            arguments: arguments.text().clone(),
            grant,
            waiting_for: WaitingFor::Result,
        }
    } else {
        Dispatch::Run { arguments, grant }
    };
    Admitted { call, dispatch }
}

/// The result of a call whose arguments do not fit its tool.
fn invalid(call: &ToolCall, why: &InvalidValue) -> CallResult {
    let refused = refusal::invalid_call(&why.to_string());
    CallResult::not_run(call.clone(), NotRun::InvalidArguments, refused)
}

/// Asks the policy whether a call may run with these arguments.
pub(super) async fn ask_policy(
    session: &SessionState,
    call: &ToolCall,
    arguments: &str,
) -> Result<ExecutionGrant, CallResult> {
    let context = session.context();
    let request = PolicyRequest {
        context: &context,
        tool: session.prompt.target(&call.name),
        arguments,
        by_hook: session.prompt.answerer(&call.name).is_some(),
    };
    let policy = &session.shared.context.policy;
    let granted: Result<_, Denial> = session
        .effect(|| format!("policy {}", call.name), policy.check(request))
        .await;
    let grant = granted.map_err(|denial| {
        let denied = refusal::denied(&denial);
        CallResult::not_run(call.clone(), NotRun::PolicyDenied, denied)
    })?;
    // The policy says whether and for how long, the workspace where.
    Ok(match &session.workspace {
        Some(workspace) => ExecutionGrant {
            working_dir: Some(workspace.path().to_owned()),
            ..grant
        },
        None => grant,
    })
}

/// Returns the call as the hooks see it: under the name of the tool that runs, not the model's name
/// for it.
fn request(
    session: &SessionState,
    call: &ToolCall,
    arguments: &str,
    grant: &ExecutionGrant,
) -> ToolRequest {
    let working_dir = grant.working_dir.as_ref();
    ToolRequest {
        call_id: call.id.clone(),
        name: session.prompt.target(&call.name).to_owned(),
        arguments_bytes: count(arguments.len()),
        grant: GrantRecord {
            working_dir: working_dir.map(|dir| dir.display().to_string()),
            timeout_ms: millis_u32(grant.timeout),
        },
    }
}
