//! One turn, from what the user says to its output.
//!
//! The order is seed 000's: pre-turn → memory → prompt → steps → memory → post-turn. What ends a turn early
//! changes the order as little as it can:
//!
//! - A `pre-turn` answer is an output like any other: the memory takes note of it and `post-turn`
//!   fires. So is what a tool gives whose result is the turn's output, and what there is when a
//!   hook ends the turn.
//! - A failure anywhere fires `turn-error`, once in a turn at most. What it recovers goes the same
//!   way, unless it was `post-turn` that failed the turn: that has fired then, and does not again.
//! - Those who look on at `post-turn` are told last, when the end of the turn is known to all (seed
//!   003); those who may change the output come before.
//! - A cancelled turn just ends: nothing fires for it any more.
//! - A suspended turn is left, and goes on from its checkpoint as if nothing had been.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use portcullis::contract::{ContentPart, Role, StopReason, Usage};
use portcullis::points::{PointId, PostTurn, PreTurn, pre_turn};
use portcullis::{AgentState, Decision, HookId};
use serde_json::Map;

use super::go_on::Resumed;
use super::output::Output;
use super::points::Decided;
use super::running::{NO_USAGE, OpenTurn, Running};
use super::step::StepsEnd;
use crate::error::TurnError;
use crate::events::{AgentEvent, TurnOrigin};
use crate::suspension::Suspension;
use crate::text;

/// How a turn ends, if it does not fail.
#[derive(Debug, Clone, PartialEq)]
pub enum TurnEnd {
    /// It gave an output.
    Done(TurnReport),
    /// It waits for something from outside. Only in sessions that have a place for checkpoints
    /// ([`NewSession::checkpoints`](crate::NewSession)).
    Suspended(Suspension),
}

impl TurnEnd {
    /// The report of a turn that gave an output.
    ///
    /// # Errors
    ///
    /// What a suspended turn waits for.
    pub fn done(self) -> Result<TurnReport, Suspension> {
        match self {
            Self::Done(report) => Ok(report),
            Self::Suspended(suspension) => Err(suspension),
        }
    }
}

/// A turn that gave an output.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnReport {
    /// Which turn of the session it was, counted from 1.
    pub turn: u32,
    /// The output: what the model, or a hook in its place, said last, without reasoning.
    pub output: Vec<ContentPart>,
    /// Where the output is from.
    pub origin: TurnOrigin,
    /// How many steps it took; 0 if the model was not called.
    pub steps: u32,
    /// Why the last step stopped.
    pub stop: StopReason,
    /// What its model calls used, those of compactions and sub-agents included.
    pub usage: Usage,
    /// How long it took, without the time it was suspended.
    pub elapsed: Duration,
}

impl TurnReport {
    /// The text of the output.
    pub fn text(&self) -> String {
        text::joined(&self.output)
    }
}

/// What is to be done in a turn.
pub(super) enum Begin {
    /// The user says something.
    Said(Vec<ContentPart>),
    /// A suspended turn goes on.
    Resumed(Box<Resumed>),
}

/// A turn that did not fail.
pub(super) struct Whole {
    end: TurnEnd,
    /// Those who look on at `post-turn`, to be told once everybody knows that the turn has ended.
    onlookers: Option<Box<Decided<PostTurn>>>,
}

/// A failure, and whether `post-turn` has fired.
struct Failed {
    error: TurnError,
    post_turn_fired: bool,
}

/// How producing an output ends.
enum Produced {
    Output(Output),
    Suspended(Suspension),
}

impl Running {
    /// Runs one turn, until `cancelled`.
    pub(super) async fn turn(
        &mut self,
        begin: Begin,
        cancelled: impl Future<Output = ()>,
    ) -> Result<TurnEnd, TurnError> {
        if let Begin::Said(_) = begin {
            self.discard_children().await;
            self.open_turn();
        }
        let ended = self.until(begin, cancelled).await;
        self.place.step = 0;
        let (ended, onlookers) = match ended {
            Ok(Whole { end, onlookers }) => (Ok(end), onlookers),
            Err(error) => (Err(error), None),
        };
        match &ended {
            Ok(TurnEnd::Done(report)) => {
                self.open_turn = None;
                self.emit(|| AgentEvent::TurnEnded {
                    text: report.text(),
                    origin: report.origin.clone(),
                    steps: report.steps,
                    usage: report.usage,
                    elapsed_ms: millis(report.elapsed),
                });
            }
            Ok(TurnEnd::Suspended(_)) => {}
            Err(error) => {
                if let TurnError::Cancelled = error {
                    self.sink.cancelled();
                }
                let elapsed = self.turn_elapsed();
                self.roll_back();
                self.emit(|| AgentEvent::TurnFailed {
                    error: error.to_string(),
                    cancelled: matches!(error, TurnError::Cancelled),
                    elapsed_ms: millis(elapsed),
                });
                self.discard_children().await;
            }
        }
        if let Some(mut onlookers) = onlookers {
            self.tell(&mut onlookers).await;
        }
        ended
    }

    /// The whole turn, until `cancelled`.
    async fn until(
        &mut self,
        begin: Begin,
        cancelled: impl Future<Output = ()>,
    ) -> Result<Whole, TurnError> {
        let left = self.left();
        let turn = self.whole_turn(begin);
        tokio::pin!(turn);
        let ended = tokio::select! {
            biased;
            () = cancelled => None,
            ended = &mut turn => Some(ended),
        };
        match ended {
            Some(ended) => ended,
            // Its checkpoint is kept, or just being kept: then the turn waits, and did not end.
            None if left() => turn.await,
            None => Err(TurnError::Cancelled),
        }
    }

    fn open_turn(&mut self) {
        // What a dropped turn left behind.
        self.sink.cancelled();
        self.roll_back();
        self.forget_prompt();
        self.place.turn += 1;
        self.place.step = 0;
        self.turn_usage = NO_USAGE;
        let state = self.views.state.values.clone();
        self.open_turn = Some(OpenTurn::new(&self.conversation, state));
    }

    /// Takes away what an unfinished turn put into the conversation and the state.
    fn roll_back(&mut self) {
        if let Some(open) = self.open_turn.take() {
            match open.original {
                Some(original) => self.conversation = Arc::new(original),
                None => Arc::make_mut(&mut self.conversation).truncate(open.start),
            }
            self.meter.reset();
            self.views.state = Arc::new(AgentState {
                values: open.state,
                diff: Map::new(),
            });
        }
    }

    async fn whole_turn(&mut self, begin: Begin) -> Result<Whole, TurnError> {
        let mut said = Arc::default();
        let failed = match self.produce(begin, &mut said).await {
            Ok(Produced::Suspended(suspension)) => {
                return Ok(Whole {
                    end: TurnEnd::Suspended(suspension),
                    onlookers: None,
                });
            }
            Ok(Produced::Output(output)) => match self.finish(&said, output).await {
                Ok(finished) => return Ok(finished),
                Err(error) => Failed {
                    error,
                    post_turn_fired: true,
                },
            },
            Err(error) => Failed {
                error,
                post_turn_fired: false,
            },
        };
        let output = self.recover(failed.error).await?;
        match failed.post_turn_fired {
            true => Ok(self.whole(output, None)),
            false => self.finish(&said, output).await,
        }
    }

    /// The end of a turn with an output.
    pub(super) fn whole(&self, output: Output, onlookers: Option<Decided<PostTurn>>) -> Whole {
        Whole {
            end: TurnEnd::Done(self.turn_report(output)),
            onlookers: onlookers.map(Box::new),
        }
    }

    /// From what the user says, or from where the turn was left, to an output. `said` is what the
    /// user says once the hooks have seen it.
    async fn produce(
        &mut self,
        begin: Begin,
        said: &mut Arc<Vec<ContentPart>>,
    ) -> Result<Produced, TurnError> {
        let end = match begin {
            Begin::Said(input) => {
                *said = Arc::new(input);
                if let Some(output) = self.ask_pre_turn(said).await? {
                    return Ok(Produced::Output(output));
                }
                self.recall(said).await?;
                self.take_input(said).await?;
                self.assemble(said).await?;
                self.steps().await?
            }
            Begin::Resumed(resumed) => {
                *said = resumed.said.clone();
                self.go_on(*resumed).await?
            }
        };
        match end {
            StepsEnd::Output(output) => Ok(Produced::Output(output)),
            StepsEnd::Suspended(waiting) => {
                let suspension = self.suspend(*waiting, said).await?;
                Ok(Produced::Suspended(suspension))
            }
        }
    }

    /// Asks the `pre-turn` hooks. An output is a hook's answer.
    async fn ask_pre_turn(
        &mut self,
        said: &mut Arc<Vec<ContentPart>>,
    ) -> Result<Option<Output>, TurnError> {
        if !self.hooks.serves::<PreTurn>() {
            self.emit(|| AgentEvent::TurnStarted);
            return Ok(None);
        }
        let conversation = self.conversation.clone();
        let ran = self
            .ask::<PreTurn>(pre_turn::facts(said), |views| {
                views.content = said.clone();
                views.conversation = conversation;
            })
            .await;
        *said = ran.views.content;
        if let Decision::Passed | Decision::Answered { .. } = ran.decision {
            self.emit(|| AgentEvent::TurnStarted);
        }
        match ran.decision {
            Decision::Passed => Ok(None),
            Decision::Rejected { by, rejection } => Err(TurnError::Rejected {
                point: PointId::PreTurn,
                by,
                rejection,
            }),
            Decision::Answered { by, answer } => self.answered(said, &by, answer).await.map(Some),
            Decision::Failed(failed) => Err(failed.into()),
            Decision::Stopped { stop, .. } => match stop {},
            Decision::Pending(pending) => match pending.first.ask {},
        }
    }

    async fn take_input(&mut self, said: &Arc<Vec<ContentPart>>) -> Result<(), TurnError> {
        let at = self.add(Role::User, said.to_vec()).await?;
        if let Some(open) = &mut self.open_turn {
            open.input_at = Some(at);
        }
        Ok(())
    }

    async fn answered(
        &mut self,
        said: &Arc<Vec<ContentPart>>,
        by: &HookId,
        answer: Vec<ContentPart>,
    ) -> Result<Output, TurnError> {
        self.take_input(said).await?;
        self.put_output(answer.clone()).await?;
        Ok(Output {
            content: Arc::new(answer),
            stop: StopReason::EndTurn,
            origin: TurnOrigin::Answered { by: by.to_string() },
        })
    }

    fn turn_report(&self, output: Output) -> TurnReport {
        TurnReport {
            turn: self.place.turn,
            output: Arc::unwrap_or_clone(output.content),
            origin: output.origin,
            steps: self.place.step,
            stop: output.stop,
            usage: self.turn_usage,
            elapsed: self.turn_elapsed(),
        }
    }
}

pub(super) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
