//! A turn is about to end: `turn-stopping` may keep it going.

use std::ops::ControlFlow;
use std::sync::Arc;

use portcullis::Decision;
use portcullis::contract::{ContentPart, Role, StopKind, StopReason, StopSignal};
use portcullis::points::TurnStopping;
use portcullis::points::turn_stopping::Stopping;

use super::output::Output;
use super::running::Running;
use super::step::StepEnd;
use crate::error::TurnError;
use crate::events::{AgentEvent, TurnOrigin};

/// What the turn's stop reason is called where a hook ended it.
const STOPPED: &str = "stopped";

impl Running {
    /// Ends the turn with what it has, unless a hook keeps it going. A hook's stop signal cannot be
    /// overruled: what one hook guards, another does not set free.
    pub(super) async fn stopping(
        &mut self,
        end: StepEnd,
    ) -> Result<ControlFlow<Output>, TurnError> {
        if let StepEnd::Stopped { by, signal } = &end {
            self.emit(|| AgentEvent::Stopping {
                by: by.to_string(),
                code: stop_code(signal),
                message: portcullis::printable(&signal.message),
            });
        }
        if self.hooks.serves::<TurnStopping>() && self.kept_going(&end).await? {
            return Ok(ControlFlow::Continue(()));
        }
        // What the user said while hooks looked at the end is taken up at the top of the loop.
        if self.may_go_on(&end) && self.steering.is_waiting() {
            self.forget_output();
            return Ok(ControlFlow::Continue(()));
        }
        let output = self.output_of(end).await?;
        Ok(ControlFlow::Break(output))
    }

    /// Whether the turn can go on after this.
    pub(super) fn may_go_on(&self, end: &StepEnd) -> bool {
        let last = self.shared.context.config.last_step();
        !matches!(end, StepEnd::Stopped { .. }) && self.place.step < last
    }

    /// What was to be the output is none.
    pub(super) fn forget_output(&mut self) {
        if let Some(open) = &mut self.open_turn {
            open.output_at = None;
        }
    }

    async fn kept_going(&mut self, end: &StepEnd) -> Result<bool, TurnError> {
        let kept_going = self.open_turn.as_ref().map_or(0, |open| open.kept_going);
        let may_keep_going =
            kept_going < self.shared.context.config.max_keep_going && self.may_go_on(end);
        let stopping = Stopping {
            ending: end.ending(),
            steps: self.place.step,
            usage: self.turn_usage,
            kept_going,
            may_keep_going,
        };
        let conversation = self.conversation.clone();
        let content = Arc::new(self.last_said());
        let ran = self
            .ask::<TurnStopping>(stopping, |views| {
                views.content = content;
                views.conversation = conversation;
            })
            .await;
        match ran.decision {
            Decision::Passed => Ok(false),
            Decision::Answered { by, answer } if may_keep_going => {
                if let Some(open) = &mut self.open_turn {
                    open.kept_going += 1;
                }
                self.forget_output();
                self.emit(|| AgentEvent::KeptGoing {
                    by: by.to_string(),
                    times: kept_going + 1,
                });
                self.add(Role::User, vec![ContentPart::Text(answer)])
                    .await?;
                Ok(true)
            }
            Decision::Answered { by, .. } => {
                tracing::warn!(
                    session = self.id(),
                    "hook `{by}` would keep the turn going, which it may not"
                );
                Ok(false)
            }
            Decision::Failed(failed) => Err(failed.into()),
            Decision::Rejected { rejection, .. } => match rejection {},
            Decision::Stopped { stop, .. } => match stop {},
            Decision::Pending(pending) => match pending.first.ask {},
        }
    }

    async fn output_of(&mut self, end: StepEnd) -> Result<Output, TurnError> {
        if let StepEnd::Stopped { .. } = end {
            // What hooks make of the output at post-turn is made of this message.
            let at = self
                .last_response()
                .filter(|_| !self.last_said().is_empty());
            if let Some(open) = &mut self.open_turn {
                open.output_at = at;
            }
        }
        Ok(match end {
            StepEnd::Done { said, stop } => Output {
                content: Arc::new(said),
                stop,
                origin: TurnOrigin::Model,
            },
            StepEnd::Goes => Output {
                content: Arc::new(self.last_said()),
                stop: StopReason::EndTurn,
                origin: TurnOrigin::Model,
            },
            // What the model would have said is what the tool gave.
            StepEnd::Finished { tool, output } => {
                let content = vec![ContentPart::Text(output)];
                self.put_output(content.clone()).await?;
                Output {
                    content: Arc::new(content),
                    stop: StopReason::EndTurn,
                    origin: TurnOrigin::Tool { name: tool },
                }
            }
            StepEnd::Stopped { by, signal } => Output {
                content: Arc::new(self.last_said()),
                stop: StopReason::Other(STOPPED.to_owned()),
                origin: TurnOrigin::Stopped {
                    by: by.to_string(),
                    code: stop_code(&signal),
                    message: portcullis::printable(&signal.message),
                },
            },
        })
    }
}

/// A signal's stable code.
pub(super) fn stop_code(signal: &StopSignal) -> String {
    match &signal.kind {
        StopKind::StepsLimit => "steps-limit".to_owned(),
        StopKind::TokenLimit => "token-limit".to_owned(),
        StopKind::TimeLimit => "time-limit".to_owned(),
        StopKind::FinishReason(reason) => {
            format!("finish-reason:{}", portcullis::printable(reason))
        }
        StopKind::Other(code) => portcullis::printable(code),
    }
}
