//! Leaving a turn that waits for something from outside, and going on with it.
//!
//! The checkpoint holds all that the turn needs: the conversation, the calls of the step as far as
//! they have come, the prompt, the agent's state, what hooks remember. It is claimed by whoever
//! resumes it, so that it goes on once.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use portcullis::PrivateState;
use portcullis::contract::{ContentPart, Message, Usage};
use portcullis::points::turn_resumed::Resumption;
use portcullis::points::turn_suspended::{self, Suspension as SuspensionFacts};
use portcullis::points::{TurnResumed, TurnSuspended};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::refusal;
use super::running::{OpenTurn, Running};
use super::step::{StepEnd, StepFacts, StepsEnd};
use super::tools::{Executed, Slot, StepTools, ToolsEnd, WaitingCall, Wants};
use super::turn_prompt::TurnPrompt;
use crate::checkpoint::{CheckpointId, NewCheckpoint};
use crate::error::TurnError;
use crate::events::AgentEvent;
use crate::suspension::{PendingCall, Question, Resolution, SuspendReason, Suspension, Wanted};

/// The version of the checkpoints that this code writes.
const VERSION: u32 = 1;

/// A step that waits for something from outside.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Waiting {
    pub(super) tools: StepTools,
    pub(super) facts: StepFacts,
}

/// All that a suspended turn needs to go on.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Snapshot {
    version: u32,
    pub(crate) user: Option<String>,
    pub(crate) working_dir: Option<String>,
    pub(crate) parent: Option<String>,
    pub(crate) workspace: Option<String>,
    pub(crate) metadata: Vec<(String, String)>,
    pub(crate) state: Map<String, Value>,
    pub(crate) session: String,
    turn: u32,
    step: u32,
    conversation: Vec<Message>,
    said: Vec<ContentPart>,
    usage: Usage,
    turn_usage: Usage,
    open_turn: OpenTurn,
    prompt: TurnPrompt,
    waiting: Waiting,
    hooks: Vec<PrivateState>,
    saved_ms: u64,
}

/// A suspended turn that goes on.
pub(super) struct Resumed {
    pub(super) said: Arc<Vec<ContentPart>>,
    checkpoint: CheckpointId,
    waiting: Waiting,
    waited: Duration,
    resolutions: BTreeMap<String, Resolution>,
}

impl Running {
    /// Keeps a checkpoint and tells of it.
    pub(super) async fn suspend(
        &mut self,
        waiting: Waiting,
        said: &Arc<Vec<ContentPart>>,
    ) -> Result<Suspension, TurnError> {
        let Some(store) = self.checkpoints.clone() else {
            return Err(TurnError::Suspend(
                "there is no place for checkpoints".into(),
            ));
        };
        let pending: Vec<PendingCall> = waiting.tools.waiting().flat_map(pending_calls).collect();
        let ids: Vec<String> = waiting.tools.waiting().map(|w| w.call.id.clone()).collect();
        let reason = waiting
            .tools
            .waiting()
            .next()
            .map_or(SuspendReason::Human, |waiting| reason(&waiting.wants));
        let partial = waiting.tools.is_partial();
        let snapshot = self.snapshot(waiting, said);
        let data = serde_json::to_value(&snapshot)
            .map_err(|e| TurnError::Suspend(format!("the turn cannot be written down: {e}")))?;
        let checkpoint = store
            .save(NewCheckpoint {
                session: self.id().to_owned(),
                agent: self.place.agent().to_owned(),
                turn: self.place.turn,
                reason: reason.name().to_owned(),
                pending: pending.iter().map(|call| call.call_id.clone()).collect(),
                data,
            })
            .await
            .map_err(|e| TurnError::Suspend(e.to_string()))?;
        self.emit(|| AgentEvent::TurnSuspended {
            checkpoint: checkpoint.to_string(),
            reason: reason.name().to_owned(),
            pending: ids.clone(),
        });
        if self.hooks.serves::<TurnSuspended>() {
            let facts = SuspensionFacts {
                reason: match reason {
                    SuspendReason::Human => turn_suspended::SuspendReason::Human,
                    SuspendReason::ClientTool => turn_suspended::SuspendReason::ClientTool,
                    SuspendReason::Children => turn_suspended::SuspendReason::Children,
                },
                checkpoint: checkpoint.to_string(),
                pending: ids,
                partial,
                steps: self.place.step,
            };
            let conversation = self.conversation.clone();
            self.hear::<TurnSuspended>(facts, |views| views.conversation = conversation)
                .await?;
        }
        Ok(Suspension {
            checkpoint,
            reason,
            pending,
        })
    }

    fn snapshot(&self, waiting: Waiting, said: &Arc<Vec<ContentPart>>) -> Snapshot {
        let session = &self.views.session;
        let open_turn = self.open_turn.clone();
        let mut open_turn = open_turn.unwrap_or_else(|| OpenTurn {
            start: self.conversation.len(),
            input_at: None,
            output_at: None,
            kept_going: 0,
            state: Map::new(),
            began: Instant::now(),
            before: Duration::ZERO,
        });
        open_turn.before = open_turn.elapsed();
        Snapshot {
            version: VERSION,
            user: session.user.clone(),
            working_dir: session.working_dir.clone(),
            parent: session.parent.clone(),
            workspace: self.wants_workspace.clone(),
            metadata: session.metadata.clone(),
            state: self.views.state.values.clone(),
            session: self.id().to_owned(),
            turn: self.place.turn,
            step: self.place.step,
            conversation: self.conversation.to_vec(),
            said: said.to_vec(),
            usage: self.usage,
            turn_usage: self.turn_usage,
            open_turn,
            prompt: self.prompt.clone(),
            waiting,
            hooks: self.hooks.private_state(),
            saved_ms: crate::clock::now_ms(),
        }
    }

    /// Puts a session back to where a turn of it was left.
    pub(super) fn restore(
        &mut self,
        snapshot: Snapshot,
        checkpoint: CheckpointId,
        resolutions: BTreeMap<String, Resolution>,
    ) -> Resumed {
        self.place.turn = snapshot.turn;
        self.place.step = snapshot.step;
        self.conversation = Arc::new(snapshot.conversation);
        self.usage = snapshot.usage;
        self.turn_usage = snapshot.turn_usage;
        self.open_turn = Some(OpenTurn {
            began: Instant::now(),
            ..snapshot.open_turn
        });
        self.take_prompt(snapshot.prompt);
        self.hooks.restore(snapshot.hooks);
        let waited = crate::clock::now_ms().saturating_sub(snapshot.saved_ms);
        let mut waiting = snapshot.waiting;
        waiting.tools.find_offered(&self.views.tools);
        Resumed {
            said: Arc::new(snapshot.said),
            checkpoint,
            waiting,
            waited: Duration::from_millis(waited),
            resolutions,
        }
    }

    /// Goes on with the step that waited.
    pub(super) async fn go_on(&mut self, resumed: Resumed) -> Result<StepsEnd, TurnError> {
        let Resumed {
            checkpoint,
            mut waiting,
            waited,
            mut resolutions,
            ..
        } = resumed;
        self.emit(|| AgentEvent::TurnResumed {
            checkpoint: checkpoint.to_string(),
        });
        if self.hooks.serves::<TurnResumed>() {
            let facts = Resumption {
                checkpoint: checkpoint.to_string(),
                resolved: waiting.tools.waiting().map(|w| w.call.id.clone()).collect(),
                waited_ms: super::turn::millis(waited),
                steps: self.place.step,
            };
            let conversation = self.conversation.clone();
            self.hear::<TurnResumed>(facts, |views| views.conversation = conversation)
                .await?;
        }
        let mut batch = Vec::with_capacity(waiting.tools.batch.len());
        for slot in std::mem::take(&mut waiting.tools.batch) {
            batch.push(match slot {
                Slot::Waiting(call) => self.resolve(*call, &mut resolutions, &waiting.tools).await,
                done => done,
            });
        }
        waiting.tools.batch = batch;
        let facts = waiting.facts;
        let end = match self.run_tools(waiting.tools).await? {
            ToolsEnd::Done => StepEnd::Goes,
            ToolsEnd::Finished { tool, output } => StepEnd::Finished { tool, output },
            ToolsEnd::Suspended(tools) => {
                return Ok(StepsEnd::Suspended(Box::new(Waiting { tools, facts })));
            }
        };
        match self.end_step(end, facts).await? {
            ControlFlow::Break(output) => Ok(StepsEnd::Output(output)),
            ControlFlow::Continue(()) => self.steps().await,
        }
    }

    /// Gives a waiting call what it was waiting for; one that is given nothing goes on waiting.
    async fn resolve(
        &self,
        mut waiting: WaitingCall,
        resolutions: &mut BTreeMap<String, Resolution>,
        tools: &StepTools,
    ) -> Slot {
        if let Wants::Child { checkpoint, .. } = &waiting.wants {
            let prefix = format!("{}/", waiting.call.id);
            let of_child: BTreeMap<String, Resolution> = resolutions
                .iter()
                .filter_map(|(id, it)| Some((id.strip_prefix(&prefix)?.to_owned(), it.clone())))
                .collect();
            if of_child.is_empty() {
                return Slot::Waiting(Box::new(waiting));
            }
            let checkpoint = checkpoint.clone();
            return self.resume_subagent(waiting, &checkpoint, of_child).await;
        }
        let Some(resolution) = resolutions.remove(&waiting.call.id) else {
            return Slot::Waiting(Box::new(waiting));
        };
        match (&mut waiting.wants, resolution) {
            (Wants::Decision(questions), Resolution::Decision(says)) => {
                let questions = std::mem::take(questions);
                self.admit_decided(waiting, questions, says, tools.offered())
                    .await
            }
            (Wants::Result, Resolution::Result(output)) => {
                let WaitingCall {
                    call, arguments, ..
                } = waiting;
                Slot::Done(Box::new(Executed {
                    arguments,
                    settled_by_hooks: true,
                    ran: true,
                    ..Executed::told(call, output)
                }))
            }
            // Checked before the checkpoint was claimed.
            (_, _) => Slot::Done(Box::new(Executed::told(
                waiting.call,
                refusal::senseless("what it was given is not what it waits for"),
            ))),
        }
    }
}

impl Snapshot {
    /// Reads a checkpoint's data.
    pub(crate) fn read(data: Value) -> Result<Self, String> {
        let version = data.get("version").and_then(Value::as_u64);
        if version != Some(u64::from(VERSION)) {
            return Err(format!(
                "it is of version {}, and this host reads version {VERSION}",
                version.map_or_else(|| "none".to_owned(), |v| v.to_string())
            ));
        }
        serde_json::from_value(data).map_err(|e| e.to_string())
    }

    /// Says what is wrong with these resolutions.
    pub(crate) fn check(&self, resolutions: &BTreeMap<String, Resolution>) -> Result<(), String> {
        let pending: Vec<PendingCall> = self
            .waiting
            .tools
            .waiting()
            .flat_map(pending_calls)
            .collect();
        for (id, resolution) in resolutions {
            let Some(call) = pending.iter().find(|call| call.call_id == *id) else {
                let waiting: Vec<&str> = pending.iter().map(|c| c.call_id.as_str()).collect();
                return Err(format!(
                    "no call `{id}` waits; those that do are: {}",
                    waiting.join(", ")
                ));
            };
            match (&call.wants, resolution) {
                (Wanted::Decision { .. }, Resolution::Decision(_))
                | (Wanted::Result, Resolution::Result(_)) => {}
                (Wanted::Decision { .. }, _) => {
                    return Err(format!(
                        "call `{id}` waits for a decision, not for a result"
                    ));
                }
                (Wanted::Result, _) => {
                    return Err(format!(
                        "call `{id}` waits for a result, not for a decision"
                    ));
                }
            }
        }
        Ok(())
    }
}

fn reason(wants: &Wants) -> SuspendReason {
    match wants {
        Wants::Decision(_) => SuspendReason::Human,
        Wants::Result => SuspendReason::ClientTool,
        Wants::Child { .. } => SuspendReason::Children,
    }
}

/// What a waiting call waits for, as the embedder is told.
fn pending_calls(waiting: &WaitingCall) -> Vec<PendingCall> {
    let one = |wants| PendingCall {
        call_id: waiting.call.id.clone(),
        tool: waiting.call.name.clone(),
        arguments: waiting.arguments.clone(),
        wants,
    };
    match &waiting.wants {
        Wants::Result => vec![one(Wanted::Result)],
        Wants::Decision(questions) => questions
            .first()
            .map(|question| {
                one(Wanted::Decision {
                    hook: question.hook.clone(),
                    request: Question::from(&question.request),
                })
            })
            .into_iter()
            .collect(),
        Wants::Child { pending, .. } => pending
            .iter()
            .map(|call| PendingCall {
                call_id: format!("{}/{}", waiting.call.id, call.call_id),
                ..call.clone()
            })
            .collect(),
    }
}
