//! The end of a turn, which `turn-stopping` hooks may prevent.

use std::ops::ControlFlow;
use std::sync::Arc;

use portcullis::Decision;
use portcullis::contract::{ContentPart, Role, StopKind, StopReason, StopSignal};
use portcullis::points::TurnStopping;
use portcullis::points::turn_stopping::Stopping;

use super::{Output, StepEnd, may_continue};
use crate::events::{AgentEvent, TurnOrigin};
use crate::exchange::TurnError;
use crate::session::state::SessionState;

/// The stop reason of a turn that a hook stopped.
const STOPPED: &str = "stopped";

/// Ends the turn with its output so far, unless a hook keeps it going. No hook can override another
/// hook's stop signal.
pub(super) async fn stop(
    session: &mut SessionState,
    end: StepEnd,
) -> Result<ControlFlow<Output>, TurnError> {
    if let StepEnd::Stopped { by, signal } = &end {
        session.emit(|| AgentEvent::Stopping {
            by: by.to_string(),
            code: stop_code(signal),
            message: portcullis::text::sanitize_for_terminal(&signal.message),
        });
    }
    if session.hooks.serves::<TurnStopping>() && ask_turn_stopping(session, &end).await? {
        return Ok(ControlFlow::Continue(()));
    }
    // User messages that arrived while the hooks ran are read at the start of the loop.
    if may_continue(session, &end) && session.is_steered().await {
        session.conversation.set_output(None);
        return Ok(ControlFlow::Continue(()));
    }
    output(session, end).await.map(ControlFlow::Break)
}

/// Runs the `turn-stopping` hooks. Returns whether one of them keeps the turn going.
async fn ask_turn_stopping(session: &mut SessionState, end: &StepEnd) -> Result<bool, TurnError> {
    let kept_going = session.conversation.kept_going();
    let limit = session.shared.context.config.max_keep_going;
    let may_keep_going = kept_going < limit && may_continue(session, end);
    let stopping = Stopping {
        ending: end.ending(),
        steps: session.position.step,
        usage: session.usage.turn(),
        kept_going,
        may_keep_going,
    };
    let content = Arc::new(session.conversation.last_said());
    let fired = session.ask::<TurnStopping>(stopping, |views| views.content = content);
    match fired.await.decision {
        Decision::Passed => Ok(false),
        Decision::Answered { by, answer } if may_keep_going => {
            session.conversation.keep_going();
            session.emit(|| AgentEvent::KeptGoing {
                by: by.to_string(),
                times: kept_going + 1,
            });
            session
                .add_message(Role::User, vec![ContentPart::Text(answer)])
                .await?;
            Ok(true)
        }
        Decision::Answered { by, .. } => {
            tracing::warn!(
                session = session.id(),
                "hook `{by}` tried to keep the turn going, which it may not"
            );
            Ok(false)
        }
        Decision::Failed(failed) => Err(failed.into()),
    }
}

/// Returns the output of a turn that ends.
async fn output(session: &mut SessionState, end: StepEnd) -> Result<Output, TurnError> {
    Ok(match end {
        StepEnd::Done { said, stop } => Output {
            content: Arc::new(said),
            stop,
            origin: TurnOrigin::Model,
        },
        StepEnd::Continues => Output {
            content: Arc::new(session.conversation.last_said()),
            stop: StopReason::EndTurn,
            origin: TurnOrigin::Model,
        },
        // The tool's result replaces the model's response.
        StepEnd::Finished { tool, output } => {
            let content = vec![ContentPart::Text(output)];
            session.add_output(content.clone()).await?;
            Output {
                content: Arc::new(content),
                stop: StopReason::EndTurn,
                origin: TurnOrigin::Tool { name: tool },
            }
        }
        StepEnd::Stopped { by, signal } => {
            session.conversation.set_last_response_as_output();
            Output {
                content: Arc::new(session.conversation.last_said()),
                stop: StopReason::Other(STOPPED.to_owned()),
                origin: TurnOrigin::Stopped {
                    by: by.to_string(),
                    code: stop_code(&signal),
                    message: portcullis::text::sanitize_for_terminal(&signal.message),
                },
            }
        }
    })
}

/// Returns a signal's stable code.
fn stop_code(signal: &StopSignal) -> String {
    match &signal.kind {
        StopKind::StepsLimit => "steps-limit".to_owned(),
        StopKind::TokenLimit => "token-limit".to_owned(),
        StopKind::TimeLimit => "time-limit".to_owned(),
        StopKind::FinishReason(reason) => {
            format!(
                "finish-reason:{}",
                portcullis::text::sanitize_for_terminal(reason)
            )
        }
        StopKind::Other(code) => portcullis::text::sanitize_for_terminal(code),
    }
}
