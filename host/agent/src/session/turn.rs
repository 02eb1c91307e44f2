//! One turn, from what the user says to its output.
//!
//! The order is seed 000's: pre-turn → memory → prompt → steps → memory → post-turn. What ends a turn early
//! changes the order as little as it can:
//!
//! - A `pre-turn` answer is an output like any other: the memory takes note of it and `post-turn`
//!   fires.
//! - A failure anywhere fires `turn-error`, once in a turn at most. What it recovers goes the same
//!   way, unless it was `post-turn` that failed the turn: that has fired then, and does not again.
//! - A cancelled turn just ends: nothing fires for it any more.

use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

use portcullis::contract::{ContentPart, Role, StopReason, Usage};
use portcullis::points::{PointId, PreTurn, pre_turn};
use portcullis::{Decision, HookId};

use super::output::Output;
use super::running::{NO_USAGE, OpenTurn, Running};
use crate::error::TurnError;
use crate::events::{AgentEvent, TurnOrigin};
use crate::text;

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
    /// What its model calls used, those of compactions included.
    pub usage: Usage,
    /// How long it took.
    pub elapsed: Duration,
}

impl TurnReport {
    /// The text of the output.
    pub fn text(&self) -> String {
        text::joined(&self.output)
    }
}

/// A failure, and whether `post-turn` has fired.
struct Failed {
    error: TurnError,
    post_turn_fired: bool,
}

impl Running {
    /// Runs one turn, until `cancelled`.
    pub(super) async fn turn(
        &mut self,
        input: Vec<ContentPart>,
        cancelled: impl Future<Output = ()>,
    ) -> Result<TurnReport, TurnError> {
        // What a dropped turn left behind.
        self.roll_back();
        self.forget_prompt();
        let started = Instant::now();
        self.place.turn += 1;
        self.place.step = 0;
        self.turn_usage = NO_USAGE;
        self.open_turn = Some(OpenTurn {
            start: self.conversation.len(),
            input_at: None,
            output_at: None,
        });
        self.emit(|| AgentEvent::TurnStarted);
        let ended = tokio::select! {
            biased;
            () = cancelled => Err(TurnError::Cancelled),
            ended = self.whole_turn(input, started) => ended,
        };
        self.place.step = 0;
        match &ended {
            Ok(report) => {
                self.open_turn = None;
                self.emit(|| AgentEvent::TurnEnded {
                    text: report.text(),
                    origin: report.origin.clone(),
                    steps: report.steps,
                    usage: report.usage,
                    elapsed_ms: millis(report.elapsed),
                });
            }
            Err(error) => {
                self.roll_back();
                self.emit(|| AgentEvent::TurnFailed {
                    error: error.to_string(),
                    cancelled: matches!(error, TurnError::Cancelled),
                    elapsed_ms: millis(started.elapsed()),
                });
            }
        }
        ended
    }

    /// Takes away what an unfinished turn put into the conversation.
    fn roll_back(&mut self) {
        if let Some(open) = self.open_turn.take() {
            Arc::make_mut(&mut self.conversation).truncate(open.start);
            self.meter.reset();
        }
    }

    async fn whole_turn(
        &mut self,
        input: Vec<ContentPart>,
        started: Instant,
    ) -> Result<TurnReport, TurnError> {
        let mut said = Arc::new(input);
        let failed = match self.produce(&mut said).await {
            Ok(output) => match self.finish(&said, output, started).await {
                Ok(report) => return Ok(report),
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
        if failed.post_turn_fired {
            Ok(self.report(output, started))
        } else {
            self.finish(&said, output, started).await
        }
    }

    /// From what the user says to an output. `said` is what the user says once the hooks have seen
    /// it.
    async fn produce(&mut self, said: &mut Arc<Vec<ContentPart>>) -> Result<Output, TurnError> {
        if self.hooks.serves::<PreTurn>() {
            let conversation = self.conversation.clone();
            let ran = self
                .ask::<PreTurn>(pre_turn::facts(said), |views| {
                    views.content = said.clone();
                    views.conversation = conversation;
                })
                .await;
            *said = ran.views.content;
            match ran.decision {
                Decision::Passed => {}
                Decision::Rejected { by, rejection } => {
                    return Err(TurnError::Rejected {
                        point: PointId::PreTurn,
                        by,
                        rejection,
                    });
                }
                Decision::Answered { by, answer } => return Ok(self.answered(said, &by, answer)),
                Decision::Failed(failed) => return Err(failed.into()),
                Decision::Stopped { stop, .. } => match stop {},
            }
        }
        self.recall(said).await;
        self.take_input(said);
        self.assemble(said).await?;
        self.steps().await
    }

    fn take_input(&mut self, said: &Arc<Vec<ContentPart>>) {
        let at = self.push(Role::User, said.to_vec());
        if let Some(open) = &mut self.open_turn {
            open.input_at = Some(at);
        }
    }

    fn answered(
        &mut self,
        said: &Arc<Vec<ContentPart>>,
        by: &HookId,
        answer: Vec<ContentPart>,
    ) -> Output {
        self.take_input(said);
        self.put_output(answer.clone());
        Output {
            content: Arc::new(answer),
            stop: StopReason::EndTurn,
            origin: TurnOrigin::Answered { by: by.to_string() },
        }
    }

    pub(super) fn report(&self, output: Output, started: Instant) -> TurnReport {
        TurnReport {
            turn: self.place.turn,
            output: Arc::unwrap_or_clone(output.content),
            origin: output.origin,
            steps: self.place.step,
            stop: output.stop,
            usage: self.turn_usage,
            elapsed: started.elapsed(),
        }
    }
}

pub(super) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
