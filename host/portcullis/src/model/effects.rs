//! What a call wrote, until it is known whether its answer is taken.

use std::sync::Arc;

use crate::contract::Context;
use crate::model::sink::{HookEvent, HookObserver};
use crate::model::state::{StateStoreError, Transaction};
use crate::model::state_edits::StateEdits;

/// What a call wrote: state, events, and changes of the agent's state. Kept when the answer is taken; dropped,
/// nothing of it stays.
pub(crate) struct Effects {
    pub(crate) state: Option<Transaction>,
    pub(crate) events: Vec<HookEvent>,
    /// Changes of the agent's state. The merge takes them out, for the embedder to apply.
    pub(crate) edits: StateEdits,
    pub(crate) sink: Arc<dyn HookObserver>,
}

impl Effects {
    /// Whether the store of hooks' state takes what is written.
    pub(crate) fn check(&self) -> Result<(), StateStoreError> {
        self.state.as_ref().map_or(Ok(()), Transaction::check)
    }

    /// Whether the store must have what was written before the answer is taken.
    pub(crate) fn wait_for_store(&self) -> bool {
        self.state.as_ref().is_some_and(Transaction::waits)
    }

    /// Has the store take what was written. What is left is to be committed when the answer is taken.
    pub(crate) async fn write(mut self: Box<Self>) -> Result<Box<Self>, StateStoreError> {
        if let Some(state) = self.state.take() {
            state.commit_to_store().await?;
        }
        Ok(self)
    }

    /// The answer was taken: the writes stay, the events go out.
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
