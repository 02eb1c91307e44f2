//! One turn, from the user's input to its output.
//!
//! The order is AgentHook's: pre-turn → memory → prompt → steps → memory → post-turn. A turn that
//! ends early keeps this order where possible:
//!
//! - A `pre-turn` answer is an output like any other: the memory observes it and `post-turn` fires.
//!   The same applies to the result of a finish tool, and to the turn's output when a hook stops
//!   it.
//! - A failure fires `turn-error`, at most once in a turn. A recovered output is handled in the
//!   same way, unless `post-turn` itself failed the turn: it has fired and does not fire again.
//! - The observing `post-turn` hooks run last, after the end of the turn is reported; the deciding
//!   ones run before.
//! - For a cancelled turn no point fires any more. A recorded turn without a record was cancelled
//!   in another process.
//! - A suspended turn is resumed from its checkpoint.
//! - A recorded turn whose session cannot be saved is interrupted: it is done, and its record is
//!   kept.

mod assembly;
mod memory;
mod output;
mod resume;

use std::future::Future;
use std::sync::Arc;

use portcullis::contract::{ContentPart, Role, StopReason};
use portcullis::points::{PointId, PostTurn, PreTurn, pre_turn};
use portcullis::{Decision, HookId};
use tokio_util::sync::CancellationToken;

pub(crate) use self::resume::Resumed;
use super::fire::Decided;
use super::recording::{self, Began};
use super::saving::{self, Saved};
use super::state::SessionState;
use super::step::{self, Output, StepsEnd};
use super::suspension::Restored;
use super::{resources, suspension};
use crate::basics::units::millis;
use crate::effects::{EffectsError, Scope, TurnStoreError};
use crate::events::{AgentEvent, TurnFrom, TurnOrigin};
use crate::exchange::{Suspension, TurnEnd, TurnError};

/// The start of a turn.
pub(crate) enum Begin {
    /// The user's input.
    Said(Vec<ContentPart>),
    /// The record of another process, which began the turn with this user input.
    Continued(Vec<ContentPart>),
    /// A checkpoint.
    Resumed(Box<Resumed>),
}

/// The end of a turn that did not fail.
struct Ended {
    end: TurnEnd,
    /// The `post-turn` call that the observing hooks have not seen.
    post_turn: Option<Box<Decided<PostTurn>>>,
}

/// The result of a turn before `post-turn`.
enum Produced {
    Output(Output),
    Suspended(Suspension),
}

/// Runs one turn, until `cancelled` or parked.
pub(crate) async fn run(
    session: &mut SessionState,
    begin: Begin,
    cancelled: impl Future<Output = ()>,
    park: &CancellationToken,
) -> Result<TurnEnd, TurnError> {
    let _ends = session.trace.ends_turn();
    let begin = prepare(session, begin).await?;
    let ended = run_until(session, begin, cancelled, park).await;
    session.position.step = 0;
    match ended {
        Ok(Ended { end, post_turn }) => {
            if let TurnEnd::Done(report) = &end {
                session.conversation.close_turn();
                // If a recorded turn is not saved, it is finished from its record.
                if !session.effects.is_recorded() {
                    saving::save(session).await;
                }
                session.emit(|| AgentEvent::TurnEnded {
                    text: report.text(),
                    origin: report.origin.clone(),
                    steps: report.steps,
                    usage: report.usage,
                    elapsed_ms: millis(report.elapsed),
                });
            }
            if let Some(post_turn) = post_turn {
                observe(session, post_turn).await?;
            }
            session.flush_hooks_state().await;
            if let Some(turn) = session.recorded_turn.clone() {
                let saved = match &end {
                    TurnEnd::Done(_) => saving::save(session).await,
                    TurnEnd::Suspended(_) => Saved::Yes,
                };
                // The turn's record is complete, for the process that opens the session next or has
                // already opened it.
                let unsaved = match saved {
                    Saved::Yes => None,
                    Saved::Lost => Some(TurnStoreError::Gone(turn).into()),
                    Saved::Failed(cause) => Some(EffectsError::Unsaved(cause)),
                };
                if let Some(why) = unsaved {
                    return Err(leave_done(session, why).await);
                }
                recording::end(session).await;
            }
            if let TurnEnd::Suspended(_) = &end {
                resources::release(session).await;
            }
            Ok(end)
        }
        Err(TurnError::Interrupted(why)) if !was_cancelled(session, &why).await => {
            Err(interrupt(session, why).await)
        }
        Err(error) => {
            let error = match error {
                TurnError::Interrupted(_) => TurnError::Cancelled,
                other => other,
            };
            let cancelled = matches!(error, TurnError::Cancelled);
            let elapsed = session.conversation.turn_elapsed();
            roll_back(session);
            let saved = saving::save(session).await;
            if let (Saved::Lost, Some(turn)) = (saved, session.recorded_turn.clone()) {
                // Another process has the session open, and finishes the turn from its record.
                let gone = TurnStoreError::Gone(turn);
                return Err(interrupt(session, gone.into()).await);
            }
            session.emit(|| AgentEvent::TurnFailed {
                error: error.to_string(),
                kind: error.kind(),
                cancelled,
                elapsed_ms: millis(elapsed),
            });
            suspension::discard_children(session).await;
            session.flush_hooks_state().await;
            recording::end(session).await;
            Err(error)
        }
    }
}

/// Opens the turn and its record.
async fn prepare(session: &mut SessionState, begin: Begin) -> Result<Begin, TurnError> {
    if !matches!(begin, Begin::Resumed(_)) {
        suspension::discard_children(session).await;
        open(session);
    }
    Ok(match begin {
        Begin::Said(said) => {
            session.begin_trace(TurnFrom::New);
            recording::begin(session, Began::Said(said.clone())).await?;
            Begin::Said(said)
        }
        Begin::Resumed(mut resumed) => {
            // The recorded decisions take precedence; otherwise the record would not fit.
            let decided = std::mem::take(&mut resumed.resolutions);
            let checkpoint = resumed.checkpoint.clone();
            let Restored { said, trace, .. } = &resumed.restored;
            resumed.resolutions =
                recording::begin_resumed(session, checkpoint, decided, said, trace.as_ref())
                    .await?;
            session.emit_other_hooks();
            Begin::Resumed(resumed)
        }
        Begin::Continued(said) => {
            session.continue_trace();
            session.record_continued();
            session.emit_other_hooks();
            Begin::Continued(said)
        }
    })
}

/// Runs the observing `post-turn` hooks.
async fn observe(
    session: &mut SessionState,
    mut post_turn: Box<Decided<PostTurn>>,
) -> Result<(), TurnError> {
    let effects = session.effects.clone();
    let stopped = tokio::select! {
        biased;
        why = effects.stopped() => why,
        () = session.observe(&mut post_turn) => return Ok(()),
    };
    if is_gone(&stopped) {
        // The turn has ended: it is too late to cancel it.
        return Ok(());
    }
    Err(leave_done(session, stopped).await)
}

/// Returns whether a turn stopped because another process cancelled it, not because another process
/// has its session open.
async fn was_cancelled(session: &mut SessionState, why: &EffectsError) -> bool {
    if !is_gone(why) || session.suspended.get() {
        return false;
    }
    roll_back(session);
    saving::save(session).await != Saved::Lost
}

fn is_gone(why: &EffectsError) -> bool {
    matches!(why, EffectsError::Store(TurnStoreError::Gone(_)))
}

/// Interrupts a turn that cannot continue here, and keeps its record. The session runs no more
/// turns.
async fn interrupt(session: &mut SessionState, why: EffectsError) -> TurnError {
    let error = TurnError::Interrupted(why);
    // Effects from here on are not part of the record.
    session.effects = Scope::default();
    roll_back(session);
    session.trace.leave_turn();
    session.emit(|| AgentEvent::TurnFailed {
        error: error.to_string(),
        kind: None,
        cancelled: false,
        elapsed_ms: 0,
    });
    leave_recorded(session).await;
    error
}

/// Interrupts a turn that is done and was reported as done, and keeps its record. The session runs
/// no more turns.
async fn leave_done(session: &mut SessionState, why: EffectsError) -> TurnError {
    session.trace.leave_turn();
    leave_recorded(session).await;
    TurnError::Interrupted(why)
}

/// Releases the session, with the record of its turn, for the next process that opens it.
async fn leave_recorded(session: &mut SessionState) {
    session.suspended.set(true);
    session.effects = Scope::default();
    session.recorded_turn = None;
    resources::release(session).await;
}

async fn run_until(
    session: &mut SessionState,
    begin: Begin,
    cancelled: impl Future<Output = ()>,
    park: &CancellationToken,
) -> Result<Ended, TurnError> {
    let suspended = session.suspended.clone();
    let effects = session.effects.clone();
    let turn = run_whole(session, begin);
    tokio::pin!(turn);
    let stopped = tokio::select! {
        biased;
        () = cancelled => Err(TurnError::Cancelled),
        () = park.cancelled() => Err(match effects.is_recorded() {
            true => TurnError::Interrupted(EffectsError::Parked),
            false => TurnError::Cancelled,
        }),
        why = effects.stopped() => return Err(TurnError::Interrupted(why)),
        ended = &mut turn => Ok(ended),
    };
    match stopped {
        Ok(ended) => ended,
        // The checkpoint is saved, or is being saved.
        Err(_) if suspended.get() => turn.await,
        Err(error) => Err(error),
    }
}

fn open(session: &mut SessionState) {
    // Remove the additions of a dropped turn.
    roll_back(session);
    session.clear_prompt();
    session.position.turn += 1;
    session.position.step = 0;
    session.usage.begin_turn();
    session.turn_errors.get_mut().clear();
    let state = session.state.values();
    session.conversation.open_turn(state);
}

/// Removes the additions of an unfinished turn to the conversation and the agent's state.
fn roll_back(session: &mut SessionState) {
    if let Some(values) = session.conversation.roll_back() {
        session.state.set(values);
    }
}

async fn run_whole(session: &mut SessionState, begin: Begin) -> Result<Ended, TurnError> {
    let mut input = Arc::default();
    let ended = match produce(session, begin, &mut input).await {
        Ok(Produced::Suspended(suspension)) => {
            return Ok(Ended {
                end: TurnEnd::Suspended(suspension),
                post_turn: None,
            });
        }
        Ok(Produced::Output(output)) => match output::finish(session, &input, output).await {
            Ok(ended) => Ok(ended),
            Err(error) => output::recover(session, error)
                .await
                .map(|output| output::ended(session, output, None)),
        },
        Err(error) => match output::recover(session, error).await {
            Ok(output) => output::finish(session, &input, output).await,
            Err(error) => Err(error),
        },
    };
    let is_observed = matches!(&ended, Ok(ended) if ended.post_turn.is_some());
    session.effects.end(is_observed).await;
    ended
}

/// Runs a turn up to its output. `input` becomes the user's input after the hooks have run.
async fn produce(
    session: &mut SessionState,
    begin: Begin,
    input: &mut Arc<Vec<ContentPart>>,
) -> Result<Produced, TurnError> {
    let end = match begin {
        Begin::Said(content) | Begin::Continued(content) => {
            *input = Arc::new(content);
            session.record_input(input);
            if let Some(output) = ask_pre_turn(session, input).await? {
                return Ok(Produced::Output(output));
            }
            memory::recall(session, input).await?;
            add_input(session, input).await?;
            assembly::assemble(session, input).await?;
            step::run(session).await?
        }
        Begin::Resumed(resumed) => {
            *input = resumed.restored.said.clone();
            resume::resume(session, *resumed).await?
        }
    };
    match end {
        StepsEnd::Output(output) => Ok(Produced::Output(output)),
        StepsEnd::Suspended(waiting) => {
            // The next effect observes the suspension, or its failure.
            session.effects.end(true).await;
            let suspension = suspension::suspend(session, *waiting, input).await?;
            Ok(Produced::Suspended(suspension))
        }
    }
}

/// Runs the `pre-turn` hooks. Returns a hook's answer as the output.
async fn ask_pre_turn(
    session: &mut SessionState,
    input: &mut Arc<Vec<ContentPart>>,
) -> Result<Option<Output>, TurnError> {
    if !session.hooks.serves::<PreTurn>() {
        session.emit(|| AgentEvent::TurnStarted);
        return Ok(None);
    }
    let fired = session
        .ask::<PreTurn>(pre_turn::facts(input), |views| {
            views.content = input.clone()
        })
        .await;
    *input = fired.views.content;
    if let Decision::Passed | Decision::Answered { .. } = fired.decision {
        session.emit(|| AgentEvent::TurnStarted);
    }
    match fired.decision {
        Decision::Passed => Ok(None),
        Decision::Rejected { by, rejection } => {
            Err(TurnError::rejected(PointId::PreTurn, by, rejection))
        }
        Decision::Answered { by, answer } => answered(session, input, &by, answer).await.map(Some),
        Decision::Failed(failed) => Err(failed.into()),
    }
}

async fn add_input(
    session: &mut SessionState,
    input: &Arc<Vec<ContentPart>>,
) -> Result<(), TurnError> {
    if input.is_empty() {
        // The turn continues from the current conversation.
        return Ok(());
    }
    let at = session.add_message(Role::User, input.to_vec()).await?;
    session.conversation.set_input(at);
    Ok(())
}

async fn answered(
    session: &mut SessionState,
    input: &Arc<Vec<ContentPart>>,
    by: &HookId,
    answer: Vec<ContentPart>,
) -> Result<Output, TurnError> {
    add_input(session, input).await?;
    session.add_output(answer.clone()).await?;
    Ok(Output {
        content: Arc::new(answer),
        stop: StopReason::EndTurn,
        origin: TurnOrigin::Answered { by: by.to_string() },
    })
}
