//! The memory's part in a turn. One that fails costs the turn its context, not the turn.

use portcullis::contract::{ContentPart, Role};

use super::running::Running;
use crate::error::TurnError;
use crate::events::AgentEvent;
use crate::memory::{MemoryError, MemoryTurn};

impl Running {
    /// Asks the memory what is worth knowing for this turn.
    pub(super) async fn recall(&mut self, said: &[ContentPart]) -> Result<(), TurnError> {
        let memory = self.shared.context.memory.clone();
        match memory.pre_turn_context(self.memory_turn(), said).await {
            // What is remembered is what users and models once said: data, so not of the role
            // `system`.
            Ok(Some(text)) if !text.is_empty() => {
                self.add(Role::User, vec![ContentPart::Text(text)]).await?;
            }
            Ok(_) => {}
            Err(error) => self.memory_failed(&error),
        }
        Ok(())
    }

    /// Tells the memory of a turn that gave an output.
    pub(super) async fn remember(&mut self, said: &[ContentPart], output: &[ContentPart]) {
        let memory = self.shared.context.memory.clone();
        let kept = memory
            .post_turn_observe(self.memory_turn(), said, output)
            .await;
        if let Err(error) = kept {
            self.memory_failed(&error);
        }
    }

    fn memory_turn(&self) -> MemoryTurn<'_> {
        MemoryTurn {
            agent: self.place.agent(),
            user: self.views.session.user.as_deref(),
            session_id: self.id(),
            turn: self.place.turn,
        }
    }

    fn memory_failed(&self, error: &MemoryError) {
        tracing::warn!(session = self.id(), "{error}");
        self.emit(|| AgentEvent::MemoryFailed {
            error: error.to_string(),
        });
    }
}
