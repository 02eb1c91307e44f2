//! A tool call that is an agent of its own (seed 004).
//!
//! The sub-agent has its own session, conversation and state, and shares the stream of events. Its
//! parents' hooks run first at every point of it, then its own.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};
use std::time::Instant;

use futures::future::BoxFuture;
use portcullis::Decision;
use portcullis::contract::{ContentPart, ToolCall, ToolSpec};
use portcullis::points::PreSubagent;
use portcullis::points::pre_subagent::SubagentSpec;
use serde_json::{Value, json};

use super::claim::discard;
use super::new::made_up_id;
use super::refusal;
use super::running::{Above, NO_USAGE, Running, count};
use super::snapshot::Snapshot;
use super::tools::{Admitted, ChildResult, Executed, Slot, Todo, WaitingCall, Wants};
use super::turn::{TurnEnd, TurnReport};
use super::{AgentSession, NewSession};
use crate::agent::Shared;
use crate::checkpoint::CheckpointId;
use crate::error::TurnError;
use crate::events::{AgentEvent, TurnOrigin};
use crate::policy::ExecutionGrant;
use crate::suspension::Resolution;
use crate::text;
use crate::tool::ToolOutput;

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

impl Running {
    /// Asks the `pre-subagent` hooks. The arguments of what is admitted are the task.
    pub(super) async fn admit_subagent(
        &self,
        call: ToolCall,
        grant: ExecutionGrant,
    ) -> Result<Admitted, Executed> {
        if let Some(deepest) = self.too_deep() {
            let told = refusal::senseless(&format!("sub-agents go {deepest} deep at most"));
            return Err(Executed::told(call, told));
        }
        let depth = self.family.parents.len() + 1;
        let task = task(&call.arguments);
        let admitted = |call, task: String, todo| Admitted {
            call,
            arguments: task.into(),
            todo,
        };
        if !self.hooks.serves::<PreSubagent>() {
            return Ok(admitted(call, task, Todo::Subagent(grant)));
        }
        let facts = SubagentSpec {
            call_id: call.id.clone(),
            agent: call.name.clone(),
            task_bytes: count(task.len()),
            depth: count(depth),
        };
        let content = Arc::new(vec![ContentPart::Text(task.clone())]);
        let ran = self
            .ask::<PreSubagent>(facts, |views| {
                views.content = content;
                views.conversation = self.conversation.clone();
            })
            .await;
        let asked = task;
        let task = text::joined(&ran.views.content);
        match ran.decision {
            Decision::Passed if task == asked => Ok(admitted(call, task, Todo::Subagent(grant))),
            // The policy decides on what is run, not only on what the model asked for.
            Decision::Passed => {
                let arguments = json!({ TASK: task }).to_string();
                match self.grant(&call.name, &arguments).await {
                    Ok(grant) => Ok(admitted(call, task, Todo::Subagent(grant))),
                    Err(denial) => Err(Executed::told(call, refusal::denied(&denial))),
                }
            }
            Decision::Answered { answer, .. } => {
                let output = ToolOutput {
                    content: answer.content,
                    is_error: answer.is_error,
                };
                Ok(admitted(call, task, Todo::GivenChild(output)))
            }
            Decision::Rejected { by, rejection } => {
                Err(Executed::told(call, refusal::refused(&by, &rejection)))
            }
            Decision::Failed(failed) => Err(Executed::told(call, refusal::blocked(&failed))),
            Decision::Stopped { stop, .. } => match stop {},
            Decision::Pending(pending) => match pending.first.ask {},
        }
    }

    /// How deep sub-agents may go, where another would be too deep. Every agent above has a say,
    /// counted from itself.
    fn too_deep(&self) -> Option<u32> {
        let above = self.family.parents.iter().chain([&self.shared]);
        let depth_below = (1..=count(self.family.parents.len() + 1)).rev();
        let most = above.map(|agent| agent.context.config.max_depth);
        most.zip(depth_below)
            .find_map(|(most, depth)| (depth > most).then_some(most))
    }

    /// Runs a sub-agent to its end, or until it waits for something.
    pub(super) async fn run_subagent(
        &self,
        call: ToolCall,
        task: String,
        grant: ExecutionGrant,
    ) -> Slot {
        let Some(agent) = self.shared.subagents.get(&call.name) else {
            return Slot::Done(Box::new(Executed::told(
                call,
                refusal::senseless("there is no such sub-agent"),
            )));
        };
        let started = Instant::now();
        let new = self.child_session();
        let session_id = new.id.clone();
        self.emit(|| AgentEvent::SubagentStarted {
            call_id: call.id.clone(),
            agent: call.name.clone(),
            session: session_id.clone(),
        });
        let child = child_turn(agent.shared.clone(), new, self.above_child(), task.clone());
        let waiting = WaitingCall {
            call,
            arguments: task,
            grant,
            wants: Wants::Result,
        };
        self.child_ended(waiting, child.await, session_id, started)
    }

    /// Goes on with a sub-agent that waited.
    pub(super) async fn resume_subagent(
        &self,
        waiting: WaitingCall,
        resolutions: BTreeMap<String, Resolution>,
    ) -> Slot {
        let started = Instant::now();
        let (
            Some(agent),
            Wants::Child {
                session,
                checkpoint,
                ..
            },
        ) = (
            self.shared.subagents.get(&waiting.call.name),
            waiting.wants.clone(),
        )
        else {
            return Slot::Done(Box::new(Executed::told(
                waiting.call,
                refusal::senseless("the sub-agent that waited is not there any more"),
            )));
        };
        let new = self.child_session();
        let resumed = resume_child(
            agent.shared.clone(),
            new,
            self.above_child(),
            checkpoint,
            resolutions,
        );
        self.child_ended(waiting, resumed.await, session, started)
    }

    /// Takes note of sub-agents that wait for the turn to go on.
    pub(super) fn await_children(&self, checkpoints: impl IntoIterator<Item = CheckpointId>) {
        // A panic elsewhere leaves the list whole.
        let children = self.waiting_children.lock();
        let mut children = children.unwrap_or_else(PoisonError::into_inner);
        children.extend(checkpoints);
    }

    /// Discards the checkpoints of sub-agents whose parent's turn is over: nobody will resume them.
    pub(super) async fn discard_children(&mut self) {
        let children = self.waiting_children.get_mut();
        let mut left = std::mem::take(children.unwrap_or_else(PoisonError::into_inner));
        let Some(store) = &self.checkpoints else {
            return;
        };
        while let Some(child) = left.pop() {
            // Those that went on have discarded their own.
            let Ok(claimed) = store.claim(&child).await else {
                continue;
            };
            if let Ok(snapshot) = Snapshot::read(claimed.data) {
                left.extend(snapshot.children());
            }
            discard(&**store, &child).await;
        }
    }

    fn above_child(&self) -> Above {
        let parents = self.family.parents.iter().cloned();
        Above {
            agents: parents.chain([self.shared.clone()]).collect(),
            workspace: self.workspace.clone(),
        }
    }

    fn child_session(&self) -> NewSession {
        let session = &self.views.session;
        NewSession {
            id: made_up_id(),
            user: session.user.clone(),
            working_dir: session.working_dir.as_ref().map(Into::into),
            parent: Some(self.id().to_owned()),
            metadata: session.metadata.clone(),
            approver: self.family.approver.clone(),
            keep_values: self.family.keep_values,
            checkpoints: self.checkpoints.clone(),
            ..NewSession::default()
        }
    }

    fn child_ended(
        &self,
        waiting: WaitingCall,
        ended: ChildEnd,
        session: String,
        started: Instant,
    ) -> Slot {
        let mut elapsed = started.elapsed();
        let (output, steps, usage) = match ended {
            ChildEnd::Turn(TurnEnd::Suspended(suspension)) => {
                self.await_children([suspension.checkpoint.clone()]);
                return Slot::Waiting(Box::new(WaitingCall {
                    wants: Wants::Child {
                        session,
                        checkpoint: suspension.checkpoint,
                        pending: suspension.pending,
                    },
                    ..waiting
                }));
            }
            ChildEnd::Turn(TurnEnd::Done(report)) => {
                // Also what it took before it was suspended.
                elapsed = report.elapsed;
                (output_of(&report), report.steps, report.usage)
            }
            ChildEnd::Failed(why, usage) => (
                ToolOutput::error(format!("The sub-agent failed: {why}")),
                0,
                usage,
            ),
        };
        self.emit(|| AgentEvent::SubagentFinished {
            call_id: waiting.call.id.clone(),
            agent: waiting.call.name.clone(),
            is_error: output.is_error,
        });
        Slot::Done(Box::new(Executed {
            arguments: waiting.arguments,
            ran: true,
            elapsed,
            child: Some(ChildResult {
                session: Some(session),
                steps,
                usage,
            }),
            ..Executed::told(waiting.call, output)
        }))
    }
}

/// What the model is given of a sub-agent's turn. One that a hook stopped has not done its task, and
/// what it had said by then is not to be taken for an answer.
fn output_of(report: &TurnReport) -> ToolOutput {
    match &report.origin {
        TurnOrigin::Stopped { code, message, .. } => ToolOutput::error(format!(
            "[The sub-agent was stopped before it was done ({code}): {message}. What it had said:]\n{}",
            report.text()
        )),
        _ => ToolOutput::ok(report.text()),
    }
}

/// How a sub-agent's turn ends.
enum ChildEnd {
    Turn(TurnEnd),
    Failed(String, portcullis::contract::Usage),
}

/// Opens a sub-agent's session, runs its one turn and ends it.
fn child_turn(
    agent: Arc<Shared>,
    new: NewSession,
    above: Above,
    task: String,
) -> BoxFuture<'static, ChildEnd> {
    Box::pin(async move {
        match AgentSession::open(agent, new, above).await {
            Ok(mut session) => {
                let ended = session.turn(task).await;
                end_child(session, ended).await
            }
            Err(error) => ChildEnd::Failed(error.to_string(), NO_USAGE),
        }
    })
}

fn resume_child(
    agent: Arc<Shared>,
    new: NewSession,
    above: Above,
    checkpoint: CheckpointId,
    resolutions: BTreeMap<String, Resolution>,
) -> BoxFuture<'static, ChildEnd> {
    Box::pin(async move {
        match AgentSession::resume(agent, new, above, checkpoint, resolutions).await {
            Ok((session, ended)) => end_child(session, ended).await,
            Err(error) => ChildEnd::Failed(error.to_string(), NO_USAGE),
        }
    })
}

async fn end_child(session: AgentSession, ended: Result<TurnEnd, TurnError>) -> ChildEnd {
    let usage = session.usage();
    let ended = match ended {
        Ok(ended) => ChildEnd::Turn(ended),
        Err(error) => ChildEnd::Failed(error.to_string(), usage),
    };
    session.close().await;
    ended
}

fn task(arguments: &str) -> String {
    let arguments: Value = serde_json::from_str(arguments).unwrap_or_default();
    arguments
        .get(TASK)
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned()
}
