//! The memory in a turn. If the memory fails, the turn continues without it.

use portcullis::contract::{ContentPart, Role};

use crate::events::AgentEvent;
use crate::exchange::TurnError;
use crate::memory::{MemoryError, MemoryTurn};
use crate::session::state::SessionState;

/// Adds the memory's context for this turn.
pub(super) async fn recall(
    session: &mut SessionState,
    input: &[ContentPart],
) -> Result<(), TurnError> {
    let memory = &session.shared.context.memory;
    let recalling = memory.pre_turn_context(memory_turn(session), input);
    match session.effect(|| "recall".into(), recalling).await {
        // The role is `user`, because the context derives from texts of users and models.
        Ok(Some(text)) if !text.is_empty() => {
            session
                .add_message(Role::User, vec![ContentPart::Text(text)])
                .await?;
        }
        Ok(_) => {}
        Err(error) => failed(session, &error),
    }
    Ok(())
}

/// Has the memory observe a turn that has an output.
pub(super) async fn observe(session: &SessionState, input: &[ContentPart], output: &[ContentPart]) {
    let memory = &session.shared.context.memory;
    let observed = memory.post_turn_observe(memory_turn(session), input, output);
    if let Err(error) = session.effect(|| "remember".into(), observed).await {
        failed(session, &error);
    }
}

fn memory_turn(session: &SessionState) -> MemoryTurn<'_> {
    MemoryTurn {
        agent: session.agent(),
        user: session.views.session.user.as_deref(),
        session_id: session.id(),
        turn: session.position.turn,
    }
}

fn failed(session: &SessionState, error: &MemoryError) {
    tracing::warn!(session = session.id(), "{error}");
    session.emit(|| AgentEvent::MemoryFailed {
        error: error.to_string(),
    });
}
