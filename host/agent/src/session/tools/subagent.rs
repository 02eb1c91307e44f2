//! A tool call that starts an agent.
//!
//! The sub-agent has its own session, conversation and state, and the same subscribers. At every
//! point of it its parents' hooks run first, then its own.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use portcullis::Decision;
use portcullis::contract::{ContentPart, ToolCall, ToolSpec};
use portcullis::points::PreSubagent;
use portcullis::points::pre_subagent::SubagentSpec;
use portcullis::tools::ToolArguments;
use serde_json::{Value, json};

use super::admit::ask_policy;
use super::call::{Admitted, CallResult, ChildResult, Dispatch, Slot, WaitingCall, WaitingFor};
use crate::basics::text;
use crate::basics::units::count;
use crate::checkpoint::Resolution;
use crate::effects::Scope;
use crate::events::{AgentEvent, TracePlace, TurnOrigin};
use crate::exchange::{NewSession, TurnEnd, TurnReport, new_session_id};
use crate::journal::NotRun;
use crate::policy::ExecutionGrant;
use crate::session::state::SessionState;
use crate::shared::{Parents, SubagentEnd};
use crate::tool::{ToolOutput, refusal};

/// The argument that is a sub-agent's task.
const TASK: &str = "task";

/// The tool that starts a sub-agent.
pub(crate) fn spec(name: &str, description: &str) -> ToolSpec {
    let schema = json!({
        "type": "object",
        "properties": {
            TASK: { "type": "string", "description": "What it is to do, with all it needs to know." }
        },
        "required": [TASK],
        "additionalProperties": false,
    });
    ToolSpec {
        name: name.to_owned(),
        description: description.to_owned(),
        schema: schema.to_string(),
    }
}

/// Asks the `pre-subagent` hooks.
pub(super) async fn admit(
    session: &SessionState,
    call: ToolCall,
    arguments: &ToolArguments,
    grant: ExecutionGrant,
) -> Result<Admitted, CallResult> {
    if let Some(max_depth) = exceeded_depth(session) {
        let why = format!("sub-agents may be {max_depth} deep at most");
        let refused = refusal::invalid_call(&why);
        return Err(CallResult::not_run(call, NotRun::TooDeep, refused));
    }
    let task = arguments.value().get(TASK).and_then(Value::as_str);
    let task = task.unwrap_or_default().to_owned();
    if !session.hooks.serves::<PreSubagent>() {
        let dispatch = Dispatch::Subagent { task, grant };
        return Ok(Admitted { call, dispatch });
    }
    let facts = SubagentSpec {
        call_id: call.id.clone(),
        agent: call.name.clone(),
        task_bytes: count(task.len()),
        depth: count(session.ancestry.parents.len() + 1),
    };
    let content = Arc::new(vec![ContentPart::Text(task.clone())]);
    let fired = session
        .ask::<PreSubagent>(facts, |views| views.content = content)
        .await;
    let asked = task;
    let task = text::joined(&fired.views.content);
    let dispatch = match fired.decision {
        Decision::Passed if task == asked => Dispatch::Subagent { task, grant },
        // The policy decides on the call that runs, not only on the model's request.
        Decision::Passed => {
            let arguments = json!({ TASK: task }).to_string();
            let grant = ask_policy(session, &call, &arguments).await?;
            Dispatch::Subagent { task, grant }
        }
        Decision::Answered { answer, .. } => Dispatch::SubagentAnswered {
            task,
            output: ToolOutput {
                content: answer.content,
                is_error: answer.is_error,
            },
        },
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

/// The depth limit that another sub-agent would exceed. Every agent above has one, counted from
/// itself.
fn exceeded_depth(session: &SessionState) -> Option<u32> {
    let parents = &session.ancestry.parents;
    let limits = parents.iter().chain([&session.shared]);
    let limits = limits.map(|agent| agent.context.config.max_depth);
    let depths = (1..=count(parents.len() + 1)).rev();
    limits
        .zip(depths)
        .find_map(|(limit, depth)| (depth > limit).then_some(limit))
}

/// Runs a sub-agent until it ends or is suspended.
pub(super) async fn run(
    session: &SessionState,
    effects: &Scope,
    call: ToolCall,
    task: String,
    grant: ExecutionGrant,
) -> Slot {
    let Some(agent) = session.shared.subagents.get(&call.name) else {
        let refused = refusal::invalid_call("there is no such sub-agent");
        return CallResult::not_run(call, NotRun::NotOffered, refused).into();
    };
    let started = Instant::now();
    let naming = async { new_session_id() };
    let child = session
        .effect_in(effects, || format!("sub-agent {}", call.name), naming)
        .await;
    let new = NewSession {
        id: child.clone(),
        ..new_session(session, &call)
    };
    session.emit(|| AgentEvent::SubagentStarted {
        call_id: call.id.clone(),
        agent: call.name.clone(),
        session: child.clone(),
    });
    let parents = parents(session, effects);
    let end = agent.run(new, parents, task.clone()).await;
    ended(session, call, task, grant, end, child, started)
}

/// Resumes a suspended sub-agent.
pub(super) async fn resume(
    session: &SessionState,
    effects: &Scope,
    waiting: WaitingCall,
    resolutions: BTreeMap<String, Resolution>,
) -> Slot {
    let started = Instant::now();
    let WaitingCall {
        call,
        arguments: task,
        grant,
        wants,
    } = waiting;
    let (
        Some(agent),
        WaitingFor::Child {
            session: child,
            checkpoint,
            ..
        },
    ) = (session.shared.subagents.get(&call.name), wants)
    else {
        let refused = refusal::invalid_call("the sub-agent that waited does not exist any more");
        return CallResult::not_run(call, NotRun::CannotResume, refused).into();
    };
    session.resume_child(&checkpoint);
    let new = new_session(session, &call);
    let end = agent
        .resume(new, parents(session, effects), checkpoint, resolutions)
        .await;
    ended(session, call, task, grant, end, child, started)
}

fn parents(session: &SessionState, effects: &Scope) -> Parents {
    let above = session.ancestry.parents.iter().cloned();
    Parents {
        agents: above.chain([session.shared.clone()]).collect(),
        root: Some(session.ancestry.root.clone()),
        turn_hooks: session.turn_hooks.clone(),
        workspace: session.workspace.clone(),
        model_budgets: Some(session.hooks.model_budgets(session.position.turn)),
        effects: effects.enter(),
        resumed_children: session.resumed_children.clone(),
    }
}

fn new_session(session: &SessionState, call: &ToolCall) -> NewSession {
    let info = &session.views.session;
    NewSession {
        user: info.user.clone(),
        working_dir: info.working_dir.as_ref().map(Into::into),
        parent: Some(session.id().to_owned()),
        metadata: info.metadata.clone(),
        approver: session.ancestry.approver.clone(),
        keep_values: session.ancestry.keep_values,
        keep_calls: session.ancestry.keep_calls,
        checkpoints: session.checkpoints().cloned(),
        trace: session.trace.within(TracePlace::Tool(&call.id)),
        ..NewSession::default()
    }
}

fn ended(
    session: &SessionState,
    call: ToolCall,
    task: String,
    grant: ExecutionGrant,
    end: SubagentEnd,
    child: String,
    started: Instant,
) -> Slot {
    let mut elapsed = started.elapsed();
    session.trace.tool_ran(&call.id);
    let (output, steps, usage) = match end {
        SubagentEnd::Turn(TurnEnd::Suspended(suspension)) => {
            session.add_waiting_child(suspension.checkpoint.clone());
            return Slot::from(WaitingCall {
                call,
                arguments: task,
                grant,
                wants: WaitingFor::Child {
                    session: child,
                    checkpoint: suspension.checkpoint,
                    pending: suspension.pending,
                },
            });
        }
        SubagentEnd::Turn(TurnEnd::Done(report)) => {
            // With the time before it was suspended.
            elapsed = report.elapsed;
            (output_of(&report), report.steps, report.usage)
        }
        SubagentEnd::Failed(why, usage) => (
            ToolOutput::error(format!("The sub-agent failed: {why}")),
            0,
            usage,
        ),
    };
    session.emit(|| AgentEvent::SubagentFinished {
        call_id: call.id.clone(),
        agent: call.name.clone(),
        is_error: output.is_error,
    });
    Slot::from(CallResult {
        arguments: task,
        elapsed,
        child: Some(ChildResult {
            session: Some(child),
            steps,
            usage,
        }),
        ..CallResult::ran(call, output)
    })
}

/// Returns the output of a sub-agent's turn. If a hook stopped the turn, the task is not done, and
/// the sub-agent's text so far must not be taken for an answer.
fn output_of(report: &TurnReport) -> ToolOutput {
    match &report.origin {
        TurnOrigin::Stopped { code, message, .. } => ToolOutput::error(format!(
            "[The sub-agent was stopped before it was done ({code}): {message}. What it had said:]\n{}",
            report.text()
        )),
        _ => ToolOutput::ok(report.text()),
    }
}
