//! The steps of a turn: a model call, and its tool calls.
//!
//! The loop is phi-core's, with its checkpoints for user messages sent during a turn: entry →
//! pre-step → (compaction) → model → tools → post-step → entry. `post-step` fires for every started
//! step, even if a hook or a tool ends the turn within it.

mod stopping;

use std::ops::ControlFlow;
use std::sync::Arc;

use portcullis::contract::{ContentPart, Role, StopReason, StopSignal};
use portcullis::points::post_step::StepReport;
use portcullis::points::pre_step::StepState;
use portcullis::points::turn_stopping::Ending;
use portcullis::points::{PointId, PostStep, PreStep};
use portcullis::{Decision, HookId};

use super::compaction;
use super::model::{self, ModelRequest};
use super::state::{SessionState, StepFacts, difference, said, tool_calls};
use super::suspension::WaitingStep;
use super::tools::{self, StepTools, ToolsEnd};
use crate::basics::units::{count, micros};
use crate::events::{AgentEvent, CallPurpose, SteeringCheckpoint, TurnOrigin};
use crate::exchange::TurnError;
use crate::provider::Signatures;

/// The end of the steps of a turn.
pub(crate) enum StepsEnd {
    Output(Output),
    /// A step waits for a decision or a result from outside.
    Suspended(Box<WaitingStep>),
}

/// The output of a turn, before the `post-turn` hooks.
pub(crate) struct Output {
    pub(crate) content: Arc<Vec<ContentPart>>,
    pub(crate) stop: StopReason,
    pub(crate) origin: TurnOrigin,
}

/// The end of a step.
#[derive(Debug, Clone)]
enum StepEnd {
    /// The model called tools, and continues with their results.
    Continues,
    /// The model called no tools.
    Done {
        said: Vec<ContentPart>,
        stop: StopReason,
    },
    /// A finish tool ran.
    Finished { tool: String, output: String },
    /// A hook stopped the turn.
    Stopped { by: HookId, signal: StopSignal },
}

impl StepEnd {
    /// Returns the input of `turn-stopping` hooks.
    fn ending(&self) -> Ending {
        match self {
            Self::Continues => Ending::Model(StopReason::ToolUse),
            Self::Done { stop, .. } => Ending::Model(stop.clone()),
            Self::Finished { tool, .. } => Ending::Tool(tool.clone()),
            Self::Stopped { signal, .. } => Ending::Signal(signal.clone()),
        }
    }
}

/// Runs steps until the turn ends.
pub(crate) async fn run(session: &mut SessionState) -> Result<StepsEnd, TurnError> {
    loop {
        session.steer(SteeringCheckpoint::LoopEntry).await?;
        if let Some((by, signal)) = ask_pre_step(session).await? {
            let end = StepEnd::Stopped { by, signal };
            match stopping::stop(session, end).await? {
                ControlFlow::Break(output) => return Ok(StepsEnd::Output(output)),
                ControlFlow::Continue(()) => continue,
            }
        }
        let limit = session.shared.context.config.step_limit();
        if session.position.step >= limit {
            return Err(TurnError::StepLimit { limit });
        }
        session.position.step += 1;
        session.emit(|| AgentEvent::StepStarted);
        session.steer(SteeringCheckpoint::BeforeStep).await?;
        let before = session.usage.turn();
        compaction::compact_if_over(session).await?;
        let request = request(session);
        let response = model::call(session, request).await?;
        let calls = tool_calls(&response.content);
        let limit = session.shared.context.config.max_tool_calls.get();
        if count(calls.len()) > limit {
            let asked = calls.len();
            return Err(TurnError::ToolCallLimit { asked, limit });
        }
        let stop = response.stop.clone();
        let said = said(&response.content);
        let at = add_response(session, response.content, &response.signatures).await?;
        if let Some(tokens) = response.real_tokens {
            session.conversation.set_tokens(tokens);
        }
        let facts = StepFacts {
            stop: stop.clone(),
            asked_for: calls.len(),
            before,
        };
        if calls.is_empty() {
            session.conversation.set_output(at);
        }
        let end = match response.stopped {
            Some((by, signal)) => StepEnd::Stopped { by, signal },
            None if calls.is_empty() => StepEnd::Done { said, stop },
            None => {
                let tools = StepTools::new(calls, &response.offered);
                match run_tools(session, tools).await? {
                    ControlFlow::Continue(end) => end,
                    ControlFlow::Break(tools) => {
                        let waiting = Box::new(WaitingStep { tools, facts });
                        return Ok(StepsEnd::Suspended(waiting));
                    }
                }
            }
        };
        if let ControlFlow::Break(output) = end_step(session, end, facts).await? {
            return Ok(StepsEnd::Output(output));
        }
    }
}

/// Continues with a step that waited, and runs the steps after it.
pub(crate) async fn resume(
    session: &mut SessionState,
    waiting: WaitingStep,
) -> Result<StepsEnd, TurnError> {
    let WaitingStep { tools, facts } = waiting;
    let end = match run_tools(session, tools).await? {
        ControlFlow::Continue(end) => end,
        ControlFlow::Break(tools) => {
            let waiting = Box::new(WaitingStep { tools, facts });
            return Ok(StepsEnd::Suspended(waiting));
        }
    };
    match end_step(session, end, facts).await? {
        ControlFlow::Break(output) => Ok(StepsEnd::Output(output)),
        ControlFlow::Continue(()) => run(session).await,
    }
}

/// Runs a step's tool calls. Breaks with the calls if some of them wait.
async fn run_tools(
    session: &mut SessionState,
    tools: StepTools,
) -> Result<ControlFlow<StepTools, StepEnd>, TurnError> {
    Ok(match tools::run(session, tools).await? {
        ToolsEnd::Done => ControlFlow::Continue(StepEnd::Continues),
        ToolsEnd::Finished { tool, output } => {
            ControlFlow::Continue(StepEnd::Finished { tool, output })
        }
        ToolsEnd::Suspended(tools) => ControlFlow::Break(tools),
    })
}

/// Adds a response and returns its index. A response that hooks have emptied is not added:
/// providers refuse a message without content.
async fn add_response(
    session: &mut SessionState,
    content: Vec<ContentPart>,
    signatures: &Signatures,
) -> Result<Option<usize>, TurnError> {
    if content.is_empty() {
        return Ok(None);
    }
    let at = session.add_message(Role::Assistant, content).await?;
    session.conversation.sign(at, signatures);
    Ok(Some(at))
}

/// Returns the model request of a step.
fn request(session: &mut SessionState) -> ModelRequest {
    let mut estimated_tokens = session.conversation_tokens();
    // After the first response the provider's count includes the sections.
    if session.position.step == 1 {
        estimated_tokens += session.prompt.section_tokens();
    }
    ModelRequest {
        estimated_tokens,
        messages: session.prompt.messages(session.conversation.messages()),
        tools: session.views.tools.clone(),
        max_output_tokens: session.shared.context.config.max_output_tokens,
        purpose: CallPurpose::Step,
    }
}

/// Ends a step: fires `post-step`, reads the user messages sent meanwhile, and decides whether the
/// turn continues.
async fn end_step(
    session: &mut SessionState,
    end: StepEnd,
    facts: StepFacts,
) -> Result<ControlFlow<Output>, TurnError> {
    session.emit(|| AgentEvent::StepEnded {
        tool_calls: facts.asked_for,
    });
    let stopped = ask_post_step(session, facts).await?;
    let end = match (end, stopped) {
        // The first signal counts.
        (end @ StepEnd::Stopped { .. }, _) => end,
        // The turn ends with its output so far, which is the tool's result.
        (StepEnd::Finished { output, .. }, Some((by, signal))) => {
            session.add_output(vec![ContentPart::Text(output)]).await?;
            StepEnd::Stopped { by, signal }
        }
        (_, Some((by, signal))) => StepEnd::Stopped { by, signal },
        (end, None) => end,
    };
    // If the turn must end here, user messages are read in the next turn.
    let steered =
        may_continue(session, &end) && session.steer(SteeringCheckpoint::AfterStep).await?;
    match end {
        StepEnd::Continues => Ok(ControlFlow::Continue(())),
        // The user has asked for something else.
        StepEnd::Done { .. } | StepEnd::Finished { .. } if steered => {
            session.conversation.set_output(None);
            Ok(ControlFlow::Continue(()))
        }
        end => stopping::stop(session, end).await,
    }
}

/// Returns whether the turn may take another step.
fn may_continue(session: &SessionState, end: &StepEnd) -> bool {
    let last = session.shared.context.config.last_step();
    !matches!(end, StepEnd::Stopped { .. }) && session.position.step < last
}

/// Runs the `pre-step` hooks. Returns a hook's stop signal.
async fn ask_pre_step(
    session: &mut SessionState,
) -> Result<Option<(HookId, StopSignal)>, TurnError> {
    if !session.hooks.serves::<PreStep>() {
        return Ok(None);
    }
    let state = StepState {
        messages: count(session.conversation.messages().len()),
        estimated_tokens: session.conversation_tokens(),
        steps: session.position.step,
        usage: session.usage.turn(),
        elapsed_us: micros(session.conversation.turn_elapsed()),
    };
    // Hooks see the number of the step that is about to start. The step counts once they let it
    // start.
    session.position.step += 1;
    let fired = session.ask::<PreStep>(state, |_| {}).await;
    session.position.step -= 1;
    match fired.decision {
        Decision::Passed => {
            let edited = fired.views.conversation;
            for index in session.conversation.apply_edits(edited) {
                session.message_added(index).await?;
            }
            Ok(None)
        }
        Decision::Stopped { by, stop } => Ok(Some((by, stop))),
        Decision::Rejected { by, rejection } => {
            Err(TurnError::rejected(PointId::PreStep, by, rejection))
        }
        Decision::Failed(failed) => Err(failed.into()),
    }
}

/// Runs the `post-step` hooks. Returns a hook's stop signal.
async fn ask_post_step(
    session: &SessionState,
    facts: StepFacts,
) -> Result<Option<(HookId, StopSignal)>, TurnError> {
    if !session.hooks.serves::<PostStep>() {
        return Ok(None);
    }
    let report = StepReport {
        stop: facts.stop,
        tool_calls: count(facts.asked_for),
        step_usage: difference(&session.usage.turn(), &facts.before),
        usage: session.usage.turn(),
        elapsed_us: micros(session.conversation.turn_elapsed()),
    };
    let content = Arc::new(session.conversation.last_said());
    let fired = session
        .ask::<PostStep>(report, |views| views.content = content)
        .await;
    match fired.decision {
        Decision::Passed => Ok(None),
        Decision::Stopped { by, stop } => Ok(Some((by, stop))),
        Decision::Failed(failed) => Err(failed.into()),
    }
}
