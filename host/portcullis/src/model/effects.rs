//! What a call wrote, until it is known whether its answer is taken.

use std::sync::Arc;

use crate::contract::Context;
use crate::model::sink::{HookEvent, HookObserver};
use crate::model::state::Transaction;

/// What a call wrote: state and events. Kept when the answer is taken; dropped,
/// nothing of it stays.
pub(crate) struct Effects {
    pub(crate) state: Option<Transaction>,
    pub(crate) events: Vec<HookEvent>,
    pub(crate) sink: Arc<dyn HookObserver>,
}

impl Effects {
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
            .finish()
    }
}
