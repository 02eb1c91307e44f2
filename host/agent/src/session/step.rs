//! The steps of a turn: a model call, and the tool calls it asks for.
//!
//! The loop is seed 003's, with its checkpoints for what the user says in the middle of a turn:
//! entry → pre-step → (compaction) → model → tools → post-step → entry. A step that was begun ends,
//! and `post-step` fires for it, also where a hook or a tool ends the turn within it.

use std::ops::ControlFlow;
use std::sync::Arc;

use portcullis::contract::{ContentPart, Message, Role, StopReason, StopSignal, ToolCall, Usage};
use portcullis::points::post_step::StepReport;
use portcullis::points::pre_step::StepState;
use portcullis::points::turn_stopping::Ending;
use portcullis::points::{PointId, PostStep, PreStep};
use portcullis::{Decision, HookId};

use super::edits::Edited;
use super::llm::Asked;
use super::output::Output;
use super::running::{Running, count};
use super::suspend::Waiting;
use super::tools::{StepTools, ToolsEnd};
use crate::error::TurnError;
use crate::events::{AgentEvent, CallPurpose, SteeringCheckpoint};

/// How the steps of a turn end.
pub(super) enum StepsEnd {
    /// With an output.
    Output(Output),
    /// They wait for something from outside.
    Suspended(Box<Waiting>),
}

/// What one step came to.
#[derive(Debug, Clone)]
pub(super) enum StepEnd {
    /// The model asked for tools, and wants to see their results.
    Goes,
    /// The model is done.
    Done {
        said: Vec<ContentPart>,
        stop: StopReason,
    },
    /// A tool whose result is the turn's output ran.
    Finished { tool: String, output: String },
    /// A hook ended the turn within the step.
    Stopped { by: HookId, signal: StopSignal },
}

impl Running {
    /// Steps until the turn ends.
    pub(super) async fn steps(&mut self) -> Result<StepsEnd, TurnError> {
        loop {
            self.steer(SteeringCheckpoint::LoopEntry).await?;
            if let Some((by, signal)) = self.ask_pre_step().await? {
                if let ControlFlow::Break(output) =
                    self.stopping(StepEnd::Stopped { by, signal }).await?
                {
                    return Ok(StepsEnd::Output(output));
                }
                continue;
            }
            let limit = self.shared.context.config.step_limit();
            if self.place.step >= limit {
                return Err(TurnError::StepLimit { limit });
            }
            self.place.step += 1;
            self.emit(|| AgentEvent::StepStarted);
            self.steer(SteeringCheckpoint::BeforeStep).await?;
            let before = self.turn_usage;
            self.compact_if_over().await?;
            let asked = self.step_request();
            let got = self.call_model(asked).await?;
            let calls: Vec<ToolCall> = tool_calls(&got.content);
            let stop = got.stop.clone();
            let said = said(&got.content);
            let at = self.take_response(got.content).await?;
            self.measure(got.real_tokens);
            let mut end = match got.stopped {
                Some((by, signal)) => StepEnd::Stopped { by, signal },
                None if calls.is_empty() => StepEnd::Done {
                    said,
                    stop: stop.clone(),
                },
                None => StepEnd::Goes,
            };
            if calls.is_empty()
                && let Some(open) = &mut self.open_turn
            {
                open.output_at = at;
            }
            let asked_for = calls.len();
            let facts = StepFacts {
                stop,
                asked_for,
                before,
            };
            if matches!(end, StepEnd::Goes) {
                let tools = StepTools::new(calls, &got.offered);
                match self.run_tools(tools).await? {
                    ToolsEnd::Done => {}
                    ToolsEnd::Finished { tool, output } => {
                        end = StepEnd::Finished { tool, output };
                    }
                    ToolsEnd::Suspended(tools) => {
                        return Ok(StepsEnd::Suspended(Box::new(Waiting { tools, facts })));
                    }
                }
            }
            if let ControlFlow::Break(output) = self.end_step(end, facts).await? {
                return Ok(StepsEnd::Output(output));
            }
        }
    }

    /// Adds what the model said and asks for, and says where it is. Where hooks left nothing of it,
    /// nothing is added: providers refuse a message without content.
    async fn take_response(
        &mut self,
        content: Vec<ContentPart>,
    ) -> Result<Option<usize>, TurnError> {
        match content.is_empty() {
            true => Ok(None),
            false => self.add(Role::Assistant, content).await.map(Some),
        }
    }

    /// What the model is asked in a step.
    fn step_request(&mut self) -> Asked {
        Asked {
            estimated_tokens: self.request_tokens(),
            messages: self.request_messages(),
            tools: self.views.tools.clone(),
            max_output_tokens: self.shared.context.config.max_output_tokens,
            purpose: CallPurpose::Step,
        }
    }

    /// Ends a step: `post-step`, what the user said meanwhile, and whether the turn goes on.
    pub(super) async fn end_step(
        &mut self,
        end: StepEnd,
        facts: StepFacts,
    ) -> Result<ControlFlow<Output>, TurnError> {
        self.emit(|| AgentEvent::StepEnded {
            tool_calls: facts.asked_for,
        });
        let stopped = self.ask_post_step(facts).await?;
        let end = match (end, stopped) {
            // What ended the turn within the step came first.
            (end @ StepEnd::Stopped { .. }, _) => end,
            // It ends with what there is, and that is what the tool gave.
            (StepEnd::Finished { output, .. }, Some((by, signal))) => {
                self.put_output(vec![ContentPart::Text(output)]).await?;
                StepEnd::Stopped { by, signal }
            }
            (_, Some((by, signal))) => StepEnd::Stopped { by, signal },
            (end, None) => end,
        };
        // What is said to a turn that ends here in any case is for the next.
        let steered = self.may_go_on(&end) && self.steer(SteeringCheckpoint::AfterStep).await?;
        match end {
            StepEnd::Goes => Ok(ControlFlow::Continue(())),
            // The user wants something else than what the turn would end with.
            StepEnd::Done { .. } | StepEnd::Finished { .. } if steered => {
                self.forget_output();
                Ok(ControlFlow::Continue(()))
            }
            end => self.stopping(end).await,
        }
    }

    async fn ask_pre_step(&mut self) -> Result<Option<(HookId, StopSignal)>, TurnError> {
        if !self.hooks.serves::<PreStep>() {
            return Ok(None);
        }
        let state = StepState {
            messages: count(self.conversation.len()),
            estimated_tokens: self.meter.read(&self.conversation, &self.views.tools),
            steps: self.place.step,
            usage: self.turn_usage,
            elapsed_us: micros(self.turn_elapsed()),
        };
        let conversation = self.conversation.clone();
        // The step that begins is the one that hooks are told of; it counts once they let it.
        self.place.step += 1;
        let ran = self
            .ask::<PreStep>(state, |views| views.conversation = conversation)
            .await;
        self.place.step -= 1;
        match ran.decision {
            Decision::Passed => {
                self.edited(ran.views.conversation).await?;
                Ok(None)
            }
            Decision::Stopped { by, stop } => Ok(Some((by, stop))),
            Decision::Rejected { by, rejection } => Err(TurnError::Rejected {
                point: PointId::PreStep,
                by,
                rejection,
            }),
            Decision::Failed(failed) => Err(failed.into()),
            Decision::Answered { answer, .. } => match answer {},
            Decision::Pending(pending) => match pending.first.ask {},
        }
    }

    /// Takes over a conversation that hooks changed, and tells of the messages that are new in it.
    async fn edited(&mut self, edited: Arc<Vec<Message>>) -> Result<(), TurnError> {
        if Arc::ptr_eq(&edited, &self.conversation) {
            return Ok(());
        }
        let before = std::mem::replace(&mut self.conversation, edited);
        self.meter.reset();
        let edits = Edited::new(&before, &self.conversation);
        if let Some(open) = &mut self.open_turn {
            open.input_at = open.input_at.and_then(|at| edits.place(at));
            open.output_at = open.output_at.and_then(|at| edits.place(at));
            if edits.same_at_start() < open.start {
                open.keep_original(&before);
                open.start = (open.start..before.len())
                    .find_map(|at| edits.place(at))
                    .unwrap_or(self.conversation.len());
            }
        }
        for index in edits.new_messages() {
            self.added(index).await?;
        }
        Ok(())
    }

    async fn ask_post_step(
        &mut self,
        facts: StepFacts,
    ) -> Result<Option<(HookId, StopSignal)>, TurnError> {
        if !self.hooks.serves::<PostStep>() {
            return Ok(None);
        }
        let report = StepReport {
            stop: facts.stop,
            tool_calls: count(facts.asked_for),
            step_usage: less(&self.turn_usage, &facts.before),
            usage: self.turn_usage,
            elapsed_us: micros(self.turn_elapsed()),
        };
        let conversation = self.conversation.clone();
        let content = Arc::new(self.last_said());
        let ran = self
            .ask::<PostStep>(report, |views| {
                views.content = content;
                views.conversation = conversation;
            })
            .await;
        match ran.decision {
            Decision::Passed => Ok(None),
            Decision::Stopped { by, stop } => Ok(Some((by, stop))),
            Decision::Failed(failed) => Err(failed.into()),
            Decision::Rejected { rejection, .. } => match rejection {},
            Decision::Answered { answer, .. } => match answer {},
            Decision::Pending(pending) => match pending.first.ask {},
        }
    }

    /// What the model said last in this turn.
    pub(super) fn last_said(&self) -> Vec<ContentPart> {
        self.last_response()
            .and_then(|at| self.conversation.get(at))
            .map(|message| said(&message.content))
            .unwrap_or_default()
    }

    /// Where the model's last response of this turn is.
    pub(super) fn last_response(&self) -> Option<usize> {
        let start = self.open_turn.as_ref().map_or(0, |open| open.start);
        let of_turn = self.conversation.get(start..)?;
        let is_response = |message: &Message| message.role == Role::Assistant;
        of_turn.iter().rposition(is_response).map(|at| start + at)
    }

    /// Takes note of what the conversation really has, where the provider said so.
    fn measure(&mut self, real_tokens: Option<u64>) {
        if let Some(tokens) = real_tokens {
            self.meter.set(tokens, self.conversation.len());
        }
    }
}

/// What `post-step` is told of a step.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub(super) struct StepFacts {
    stop: StopReason,
    asked_for: usize,
    /// What the turn had used before it.
    before: Usage,
}

impl StepEnd {
    /// What `turn-stopping` hooks are told.
    pub(super) fn ending(&self) -> Ending {
        match self {
            Self::Goes => Ending::Model(StopReason::ToolUse),
            Self::Done { stop, .. } => Ending::Model(stop.clone()),
            Self::Finished { tool, .. } => Ending::Tool(tool.clone()),
            Self::Stopped { signal, .. } => Ending::Signal(signal.clone()),
        }
    }
}

fn less(all: &Usage, before: &Usage) -> Usage {
    Usage {
        input_tokens: all.input_tokens.saturating_sub(before.input_tokens),
        output_tokens: all.output_tokens.saturating_sub(before.output_tokens),
        cache_read_tokens: all
            .cache_read_tokens
            .saturating_sub(before.cache_read_tokens),
        cache_write_tokens: all
            .cache_write_tokens
            .saturating_sub(before.cache_write_tokens),
    }
}

pub(super) fn micros(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

pub(super) fn tool_calls(content: &[ContentPart]) -> Vec<ToolCall> {
    content
        .iter()
        .filter_map(|part| match part {
            ContentPart::ToolCall(call) => Some(call.clone()),
            _ => None,
        })
        .collect()
}

/// What a response says to the user: reasoning is not said.
fn said(content: &[ContentPart]) -> Vec<ContentPart> {
    content
        .iter()
        .filter(|part| matches!(part, ContentPart::Text(_) | ContentPart::Image(_)))
        .cloned()
        .collect()
}
