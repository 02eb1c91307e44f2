//! Pieces of a response on their way to subscribers.

use std::ops::ControlFlow;
use std::sync::Arc;

use async_trait::async_trait;
use portcullis::points::{PostLlmCall, PostTurn};

use super::running::Running;
use crate::config::Deltas;
use crate::events::{AgentEvent, CallPurpose, Emitted, EventSender};
use crate::provider::{Delta, DeltaSink};

/// Hands pieces to subscribers, if they may have them.
pub(super) struct EventDeltas {
    /// Nothing where pieces are held back.
    events: Option<EventSender>,
    session_id: Arc<str>,
    turn: u32,
    step: u32,
}

impl Running {
    /// The sink for a call's pieces.
    pub(super) fn deltas(&self, purpose: CallPurpose) -> EventDeltas {
        let may_be_seen = match self.shared.context.config.deltas {
            Deltas::Always => true,
            Deltas::Never => false,
            Deltas::UnlessGuarded => {
                !self.hooks.decides::<PostLlmCall>() && !self.hooks.decides::<PostTurn>()
            }
        };
        EventDeltas {
            events: (may_be_seen && purpose == CallPurpose::Step)
                .then(|| self.shared.context.events.clone()),
            session_id: self.place.session_id.clone(),
            turn: self.place.turn,
            step: self.place.step,
        }
    }
}

#[async_trait]
impl DeltaSink for EventDeltas {
    async fn push(&mut self, delta: Delta<'_>) -> ControlFlow<()> {
        if let Some(events) = &self.events {
            events.emit(|| {
                let event = match delta {
                    Delta::Text(text) => AgentEvent::TextDelta { text: text.into() },
                    Delta::Thinking(text) => AgentEvent::ThinkingDelta { text: text.into() },
                };
                Emitted::new(self.session_id.clone(), self.turn, self.step, event)
            });
        }
        ControlFlow::Continue(())
    }
}
