//! Going on with a turn that was left.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::join_all;
use portcullis::contract::ContentPart;
use portcullis::points::TurnResumed;
use portcullis::points::turn_resumed::Resumption;

use super::refusal;
use super::running::{OpenTurn, Running};
use super::snapshot::Snapshot;
use super::step::{StepEnd, StepsEnd};
use super::suspend::Waiting;
use super::tools::{Admitted, Executed, Slot, StepTools, ToolsEnd, WaitingCall, Wants};
use crate::checkpoint::CheckpointId;
use crate::error::TurnError;
use crate::events::AgentEvent;
use crate::suspension::Resolution;

/// A suspended turn that goes on.
pub(super) struct Resumed {
    pub(super) said: Arc<Vec<ContentPart>>,
    checkpoint: CheckpointId,
    waiting: Waiting,
    waited: Duration,
    resolutions: BTreeMap<String, Resolution>,
}

impl Running {
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
        self.steering.put_back(snapshot.steering);
        let waited = crate::clock::now_ms().saturating_sub(snapshot.saved_ms);
        let mut waiting = snapshot.waiting;
        waiting.tools.find_offered(&self.views.tools);
        self.await_children(waiting.tools.children());
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
        let mut resolved = Vec::with_capacity(waiting.tools.batch.len());
        for slot in std::mem::take(&mut waiting.tools.batch) {
            resolved.push(match slot {
                Slot::Waiting(call) => self.resolve(*call, &mut resolutions, &waiting.tools).await,
                done => Resolved::Is(done),
            });
        }
        // As in a batch that was never left: decided in order, then run side by side.
        let going_on = resolved
            .into_iter()
            .map(|resolved| self.go_on_with(resolved));
        waiting.tools.batch = join_all(going_on).await;
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
    ) -> Resolved {
        if let Wants::Child { .. } = &waiting.wants {
            let prefix = format!("{}/", waiting.call.id);
            let of_child: BTreeMap<String, Resolution> = resolutions
                .iter()
                .filter_map(|(id, it)| Some((id.strip_prefix(&prefix)?.to_owned(), it.clone())))
                .collect();
            return match of_child.is_empty() {
                true => Resolved::Is(Slot::Waiting(Box::new(waiting))),
                false => Resolved::Child(Box::new(waiting), of_child),
            };
        }
        let Some(resolution) = resolutions.remove(&waiting.call.id) else {
            return Resolved::Is(Slot::Waiting(Box::new(waiting)));
        };
        match (&mut waiting.wants, resolution) {
            (Wants::Decision(questions), Resolution::Decision(says)) => {
                let questions = std::mem::take(questions);
                let admitted = self
                    .admit_decided(waiting, questions, says, tools.offered())
                    .await;
                match admitted {
                    Ok(admitted) => Resolved::Admitted(admitted),
                    Err(told) => Resolved::is_done(told),
                }
            }
            (Wants::Result, Resolution::Result(output)) => {
                let WaitingCall {
                    call, arguments, ..
                } = waiting;
                Resolved::is_done(Executed {
                    arguments,
                    settled_by_hooks: true,
                    ran: true,
                    ..Executed::told(call, output)
                })
            }
            // Checked when the checkpoint was claimed.
            (_, _) => Resolved::is_done(Executed::told(
                waiting.call,
                refusal::senseless("what it was given is not what it waits for"),
            )),
        }
    }

    async fn go_on_with(&self, resolved: Resolved) -> Slot {
        match resolved {
            Resolved::Is(slot) => slot,
            Resolved::Admitted(admitted) => self.execute(admitted).await,
            Resolved::Child(waiting, resolutions) => {
                self.resume_subagent(*waiting, resolutions).await
            }
        }
    }
}

/// A call of a batch that was left, once its turn goes on.
enum Resolved {
    /// It is as it is.
    Is(Slot),
    /// Nothing speaks against it any more.
    Admitted(Admitted),
    /// The sub-agent goes on.
    Child(Box<WaitingCall>, BTreeMap<String, Resolution>),
}

impl Resolved {
    fn is_done(executed: Executed) -> Self {
        Self::Is(Slot::Done(Box::new(executed)))
    }
}
