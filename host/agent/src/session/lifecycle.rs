//! The start and the end of a session.

use portcullis::Decision;
use portcullis::points::session_end::{EndReason, SessionSummary};
use portcullis::points::{SessionEnd, SessionStart, session_start};

use super::state::SessionState;
use super::{recording, resources, suspension};
use crate::basics::units::count;
use crate::events::{AgentEvent, SessionEndReason};
use crate::exchange::SessionError;

pub(crate) async fn start(session: &mut SessionState) -> Result<(), SessionError> {
    resources::open_workspace(session).await?;
    session.record_opening();
    if session.hooks.serves::<SessionStart>() {
        let info = session_start::SessionInfo {
            provider: session.shared.provider.clone(),
            model: session.shared.model.clone(),
            tools: count(session.views.tools.len()),
        };
        match session.ask::<SessionStart>(info, |_| {}).await.decision {
            Decision::Passed => {}
            Decision::Rejected { by, rejection } => {
                return Err(SessionError::Rejected { by, rejection });
            }
            Decision::Failed(failed) => return Err(failed.into()),
        }
    }
    session.emit(|| AgentEvent::SessionStarted {
        provider: session.shared.provider.clone(),
        model: session.shared.model.clone(),
        tools: session.views.tools.names().map(str::to_owned).collect(),
    });
    Ok(())
}

/// Ends a session. A `session-end` hook cannot keep it open.
pub(crate) async fn end(session: &mut SessionState, reason: SessionEndReason) {
    session.clear_prompt();
    let turns = session.position.turn;
    session.position.turn = 0;
    session.position.step = 0;
    suspension::discard_children(session).await;
    // Ends the record of a dropped turn; the drop cancels the turn.
    recording::end(session).await;
    if session.hooks.serves::<SessionEnd>() {
        let summary = SessionSummary {
            reason: match reason {
                SessionEndReason::Closed => EndReason::Closed,
                SessionEndReason::Rejected => EndReason::Rejected,
                SessionEndReason::Cancelled => EndReason::Cancelled,
                SessionEndReason::Failed => EndReason::Failed,
            },
            turns,
            usage: session.usage.session(),
        };
        session.ask::<SessionEnd>(summary, |_| {}).await;
    }
    session.flush_hooks_state().await;
    resources::release(session).await;
    session.emit(|| AgentEvent::SessionEnded {
        reason,
        turns,
        usage: session.usage.session(),
    });
}
