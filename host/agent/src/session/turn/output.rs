//! A turn's output: memory → post-turn, and recovery if the turn failed.

use std::sync::Arc;

use portcullis::Decision;
use portcullis::contract::{ContentPart, StopReason};
use portcullis::points::{
    PointId, PostTurn, TurnError as TurnErrorPoint, post_turn, pre_turn, turn_error,
};

use super::{Ended, memory};
use crate::basics::units::micros;
use crate::events::TurnOrigin;
use crate::exchange::{TurnEnd, TurnError, TurnReport};
use crate::session::fire::Decided;
use crate::session::state::SessionState;
use crate::session::step::Output;
use crate::session::tools;

/// Ends a turn with an output: the memory observes it, then the deciding `post-turn` hooks run.
pub(super) async fn finish(
    session: &mut SessionState,
    input: &[ContentPart],
    mut output: Output,
) -> Result<Ended, TurnError> {
    memory::observe(session, input, &output.content).await;
    if !session.hooks.serves::<PostTurn>() {
        return Ok(ended(session, output, None));
    }
    let mut decided = ask_post_turn(session, &output).await;
    if !decided.by.verdict.decision.passed() {
        session.observe(&mut decided).await;
    }
    match decided.by.verdict.decision {
        Decision::Passed => {
            let views = &mut decided.call.views;
            if !Arc::ptr_eq(&views.content, &output.content) {
                output.content = views.content.clone();
                // Dropped, so that changing the conversation needs no copy.
                views.conversation = Arc::default();
                change_output(session, &output.content).await?;
                views.conversation = session.conversation.messages().clone();
            }
            Ok(ended(session, output, Some(decided)))
        }
        Decision::Rejected { by, rejection } => {
            Err(TurnError::rejected(PointId::PostTurn, by, rejection))
        }
        Decision::Failed(failed) => Err(failed.into()),
    }
}

/// Runs the deciding `post-turn` hooks.
async fn ask_post_turn(session: &mut SessionState, output: &Output) -> Decided<PostTurn> {
    let facts = post_turn::TurnOutput {
        text_bytes: pre_turn::facts(&output.content).text_bytes,
        steps: session.position.step,
        stop: output.stop.clone(),
        usage: session.usage.turn(),
        elapsed_us: micros(session.conversation.turn_elapsed()),
    };
    let content = output.content.clone();
    // The call is outside of any step.
    let steps = std::mem::take(&mut session.position.step);
    let decided = session
        .decide::<PostTurn>(facts, |views| views.content = content)
        .await;
    session.position.step = steps;
    decided
}

/// Changes the output in the conversation, or adds it if there is none.
async fn change_output(
    session: &mut SessionState,
    content: &[ContentPart],
) -> Result<(), TurnError> {
    if session.conversation.change_output(content) {
        return Ok(());
    }
    session.add_output(content.to_vec()).await
}

/// Runs the `turn-error` hooks, which may return an output in place of the failure.
pub(super) async fn recover(
    session: &mut SessionState,
    error: TurnError,
) -> Result<Output, TurnError> {
    let Some(kind) = error.kind() else {
        return Err(error);
    };
    if !session.hooks.serves::<TurnErrorPoint>() {
        return Err(error);
    }
    let failure = turn_error::Failure {
        kind,
        message: error.to_string(),
    };
    // The call is outside of any step.
    let steps = std::mem::take(&mut session.position.step);
    let decision = session
        .ask::<TurnErrorPoint>(failure, |views| {
            views.content = Arc::new(session.turn_errors.lock().clone());
        })
        .await
        .decision;
    session.position.step = steps;
    match decision {
        Decision::Answered { by, answer } => {
            add_recovered(session, &answer).await?;
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
        // The caller needs the turn's failure, not the hook's.
        Decision::Failed(failed) => {
            tracing::warn!(
                session = session.id(),
                "the turn cannot be recovered: {failed}"
            );
            Err(error)
        }
    }
}

/// Adds a recovered output to the conversation: in place of the withheld output, or after the
/// input. If a hook refused the input at `pre-turn`, neither the input nor the output is added.
async fn add_recovered(
    session: &mut SessionState,
    content: &[ContentPart],
) -> Result<(), TurnError> {
    if session.conversation.output_at().is_some() {
        change_output(session, content).await
    } else if session.conversation.input_at().is_some() {
        tools::answer_open_calls(session).await?;
        session.add_output(content.to_vec()).await
    } else {
        Ok(())
    }
}

/// Returns the end of a turn with an output.
pub(super) fn ended(
    session: &SessionState,
    output: Output,
    post_turn: Option<Decided<PostTurn>>,
) -> Ended {
    let report = TurnReport {
        turn: session.position.turn,
        output: Arc::unwrap_or_clone(output.content),
        origin: output.origin,
        steps: session.position.step,
        stop: output.stop,
        usage: session.usage.turn(),
        elapsed: session.conversation.turn_elapsed(),
    };
    Ended {
        end: TurnEnd::Done(report),
        post_turn: post_turn.map(Box::new),
    }
}
