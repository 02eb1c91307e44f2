//! What the user says in the middle of a turn.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use portcullis::contract::{ContentPart, Role};

use super::running::Running;
use crate::error::TurnError;
use crate::events::{AgentEvent, SteeringCheckpoint};

/// Says something to an agent in the middle of a turn. It is taken up at the next of the loop's
/// checkpoints ([`SteeringCheckpoint`]), never within a model's response or a tool's run: those are
/// whole or not at all (seed 003). Cheap to clone.
///
/// What is said while no turn runs is taken up in the next; so is what is said when the turn cannot
/// go on any more, since a hook stops it or it has taken all its steps. What a turn has taken up is
/// part of it: a turn that fails or is cancelled leaves nothing of it behind either.
#[derive(Debug, Clone, Default)]
pub struct Steering(Arc<Mutex<VecDeque<String>>>);

impl Steering {
    /// Says something.
    pub fn say(&self, text: impl Into<String>) {
        self.lock().push_back(text.into());
    }

    /// Whether something waits to be taken up.
    pub fn is_waiting(&self) -> bool {
        !self.lock().is_empty()
    }

    /// Takes what waits.
    pub(super) fn take(&self) -> VecDeque<String> {
        std::mem::take(&mut *self.lock())
    }

    /// Puts back what was taken, before what was said since.
    pub(super) fn put_back(&self, said: impl IntoIterator<Item = String>) {
        let mut waiting = self.lock();
        let since = std::mem::take(&mut *waiting);
        *waiting = said.into_iter().chain(since).collect();
    }

    // A panic elsewhere leaves the queue whole.
    fn lock(&self) -> std::sync::MutexGuard<'_, VecDeque<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Running {
    /// Takes up what the user said. Says whether there was anything.
    pub(super) async fn steer(
        &mut self,
        checkpoint: SteeringCheckpoint,
    ) -> Result<bool, TurnError> {
        let said = self.steering.take();
        let any = !said.is_empty();
        for text in said {
            self.emit(|| AgentEvent::Steered {
                checkpoint,
                text: text.clone(),
            });
            self.add(Role::User, vec![ContentPart::Text(text)]).await?;
        }
        Ok(any)
    }
}
