//! A turn's output on its way out: memory → post-turn; and what stands in for it when the turn
//! failed.

use std::sync::Arc;

use portcullis::Decision;
use portcullis::contract::{ContentPart, Message, Role, StopReason, ToolCall};
use portcullis::points::{PointId, PostTurn, TurnError as TurnErrorPoint};
use portcullis::points::{post_turn, pre_turn, turn_error};

use super::points::Decided;
use super::refusal;
use super::running::{OpenTurn, Running};
use super::step::{micros, tool_calls};
use super::tools::Executed;
use super::turn::Whole;
use crate::error::TurnError;
use crate::events::TurnOrigin;

/// An output on its way out.
pub(super) struct Output {
    pub(super) content: Arc<Vec<ContentPart>>,
    pub(super) stop: StopReason,
    pub(super) origin: TurnOrigin,
}

impl Running {
    /// From an output to the end of the turn: the memory, then the `post-turn` hooks that decide.
    /// Those that look on hear of it later.
    pub(super) async fn finish(
        &mut self,
        said: &[ContentPart],
        mut output: Output,
    ) -> Result<Whole, TurnError> {
        self.remember(said, &output.content).await;
        if !self.hooks.serves::<PostTurn>() {
            return Ok(self.whole(output, None));
        }
        let mut decided = self.decide_post_turn(&output).await;
        if !decided.verdict.decision.passed() {
            self.tell(&mut decided).await;
        }
        match decided.verdict.decision {
            Decision::Passed => {
                let views = &mut decided.call.views;
                if !Arc::ptr_eq(&views.content, &output.content) {
                    output.content = views.content.clone();
                    // Given back, so that it is not copied to be changed.
                    views.conversation = Arc::default();
                    self.change_output(&output.content).await?;
                    views.conversation = self.conversation.clone();
                }
                Ok(self.whole(output, Some(decided)))
            }
            Decision::Rejected { by, rejection } => Err(TurnError::Rejected {
                point: PointId::PostTurn,
                by,
                rejection,
            }),
            Decision::Failed(failed) => Err(failed.into()),
            Decision::Answered { answer, .. } => match answer {},
            Decision::Stopped { stop, .. } => match stop {},
            Decision::Pending(pending) => match pending.first.ask {},
        }
    }

    async fn decide_post_turn(&mut self, output: &Output) -> Decided<PostTurn> {
        let facts = post_turn::TurnOutput {
            text_bytes: pre_turn::facts(&output.content).text_bytes,
            steps: self.place.step,
            stop: output.stop.clone(),
            usage: self.turn_usage,
            elapsed_us: micros(self.turn_elapsed()),
        };
        let steps = std::mem::take(&mut self.place.step);
        let content = output.content.clone();
        let conversation = self.conversation.clone();
        let decided = self
            .decide::<PostTurn>(facts, |views| {
                views.content = content;
                views.conversation = conversation;
            })
            .await;
        self.place.step = steps;
        decided
    }

    /// Puts a changed output in the place of the one in the conversation, or adds it where there is
    /// none. Tool calls stay, since their results do.
    async fn change_output(&mut self, content: &[ContentPart]) -> Result<(), TurnError> {
        let at = self.open_turn.as_ref().and_then(|open| open.output_at);
        let messages = Arc::make_mut(&mut self.conversation);
        let Some(message) = at.and_then(|at| messages.get_mut(at)) else {
            return self.put_output(content.to_vec()).await;
        };
        let is_call = |part: &ContentPart| matches!(part, ContentPart::ToolCall(_));
        let calls: Vec<ContentPart> = message.content.drain(..).filter(is_call).collect();
        message.content = content.iter().cloned().chain(calls).collect();
        Ok(())
    }

    /// Adds an output, and remembers where it is.
    pub(super) async fn put_output(&mut self, content: Vec<ContentPart>) -> Result<(), TurnError> {
        if content.is_empty() {
            return Ok(());
        }
        let at = self.add(Role::Assistant, content).await?;
        if let Some(open) = &mut self.open_turn {
            open.output_at = Some(at);
        }
        Ok(())
    }

    /// Asks the `turn-error` hooks for an output to go on with.
    pub(super) async fn recover(&mut self, error: TurnError) -> Result<Output, TurnError> {
        let Some(kind) = error.kind() else {
            return Err(error);
        };
        if !self.hooks.serves::<TurnErrorPoint>() {
            return Err(error);
        }
        let failure = turn_error::Failure {
            kind,
            message: error.to_string(),
        };
        let steps = std::mem::take(&mut self.place.step);
        let conversation = self.conversation.clone();
        let ran = self
            .ask::<TurnErrorPoint>(failure, |views| views.conversation = conversation)
            .await;
        self.place.step = steps;
        drop(ran.views);
        match ran.decision {
            Decision::Answered { by, answer } => {
                self.put_recovery(&answer).await?;
                Ok(Output {
                    content: Arc::new(answer),
                    stop: StopReason::EndTurn,
                    origin: TurnOrigin::Recovered {
                        by: by.to_string(),
                        error: error.to_string(),
                    },
                })
            }
            Decision::Passed => Err(error),
            // The turn has failed already, and what it failed of is what its caller must know.
            Decision::Failed(failed) => {
                tracing::warn!(
                    session = self.id(),
                    "the turn cannot be recovered: {failed}"
                );
                Err(error)
            }
            Decision::Rejected { rejection, .. } => match rejection {},
            Decision::Stopped { stop, .. } => match stop {},
            Decision::Pending(pending) => match pending.first.ask {},
        }
    }

    /// Answers the calls that a failure left without a result: no provider takes a conversation in
    /// which one has none.
    async fn answer_open_calls(&mut self) -> Result<(), TurnError> {
        for call in open_calls(&self.conversation) {
            self.commit(Executed::told(call, refusal::lost())).await?;
        }
        Ok(())
    }

    /// Puts a recovered output into the conversation: in the place of the withheld one, or behind
    /// what the user said. What a hook refused at `pre-turn` is not there, and its answer is not
    /// put there either.
    async fn put_recovery(&mut self, content: &[ContentPart]) -> Result<(), TurnError> {
        match &self.open_turn {
            Some(OpenTurn {
                output_at: Some(_), ..
            }) => self.change_output(content).await,
            Some(OpenTurn {
                input_at: Some(_), ..
            }) => {
                self.answer_open_calls().await?;
                self.put_output(content.to_vec()).await
            }
            _ => Ok(()),
        }
    }
}

/// The tool calls of the last response that asked for any which have no result.
fn open_calls(conversation: &[Message]) -> Vec<ToolCall> {
    let mut answered = Vec::new();
    for message in conversation.iter().rev() {
        let calls: Vec<ToolCall> = tool_calls(&message.content);
        if !calls.is_empty() {
            let is_open = |call: &ToolCall| !answered.contains(&call.id);
            return calls.into_iter().filter(is_open).collect();
        }
        answered.extend(message.content.iter().filter_map(|part| match part {
            ContentPart::ToolResult(result) => Some(result.call_id.clone()),
            _ => None,
        }));
    }
    Vec::new()
}
