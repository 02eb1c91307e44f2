//! The writes of a call, held until its answer is accepted.

use std::sync::Arc;

use crate::contract::Context;
use crate::model::sink::{HookEvent, HookObserver};
use crate::model::state::{StateStoreError, Transaction};
use crate::model::state_edits::StateEdits;

/// The writes of a call: state, events and changes of the agent's state. They are committed when
/// the answer is accepted. Dropping them undoes them.
pub(crate) struct Effects {
    pub(crate) state: Option<Transaction>,
    pub(crate) events: Vec<HookEvent>,
    /// Changes of the agent's state. The merge takes them out, and the embedder applies them.
    pub(crate) edits: StateEdits,
    pub(crate) sink: Arc<dyn HookObserver>,
}

impl Effects {
    /// Checks that the store of hooks' state accepts the writes.
    pub(crate) fn check(&self) -> Result<(), StateStoreError> {
        self.state.as_ref().map_or(Ok(()), Transaction::check)
    }

    /// Returns whether the store must have the writes before the answer is accepted.
    pub(crate) fn wait_for_store(&self) -> bool {
        self.state.as_ref().is_some_and(Transaction::waits)
    }

    /// Writes to the store. The remaining effects are committed when the answer is accepted.
    pub(crate) async fn write(mut self: Box<Self>) -> Result<Box<Self>, StateStoreError> {
        if let Some(state) = self.state.take() {
            state.commit_to_store().await?;
        }
        Ok(self)
    }

    /// Commits the effects of an accepted answer: the writes stay, and the events are sent.
    pub(crate) fn commit(self, context: &Context) {
        if let Some(mut state) = self.state {
            state.commit();
        }
        for event in self.events {
            self.sink.event(HookEvent {
                turn: context.turn,
                step: context.step,
                ..event
            });
        }
    }
}

impl std::fmt::Debug for Effects {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Effects")
            .field("state", &self.state.is_some())
            .field("events", &self.events.len())
            .field("edits", &self.edits.len())
            .finish()
    }
}
