//! User messages sent during a turn.

use std::collections::VecDeque;
use std::sync::Arc;

use parking_lot::Mutex;

/// Messages to an agent in the middle of a turn. The loop reads them at its checkpoints
/// ([`SteeringCheckpoint`](crate::SteeringCheckpoint)), never inside a model's response or a tool's
/// run. Cheap to clone.
///
/// A message that arrives while no turn runs is read in the next turn. The same is true if the turn
/// can take no more steps, because a hook stops it or it has reached its limit. A message that a
/// turn has read is part of that turn: it is lost if the turn fails or is cancelled.
#[derive(Debug, Clone, Default)]
pub struct Steering(Arc<Mutex<VecDeque<String>>>);

impl Steering {
    /// Adds a message.
    pub fn say(&self, text: impl Into<String>) {
        self.0.lock().push_back(text.into());
    }

    /// Returns whether there are unread messages.
    pub fn is_waiting(&self) -> bool {
        !self.0.lock().is_empty()
    }

    /// Returns the unread messages, oldest first.
    pub fn unread(&self) -> Vec<String> {
        self.0.lock().iter().cloned().collect()
    }

    /// Takes the unread messages, oldest first. They are then not read in a turn.
    pub fn take(&self) -> VecDeque<String> {
        std::mem::take(&mut *self.0.lock())
    }

    /// Puts messages back, before newer messages.
    pub(crate) fn put_back(&self, taken: impl IntoIterator<Item = String>) {
        let mut waiting = self.0.lock();
        let since = std::mem::take(&mut *waiting);
        *waiting = taken.into_iter().chain(since).collect();
    }
}
