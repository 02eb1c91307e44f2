//! The events of turns.

use opentelemetry::KeyValue;
use portcullis_agent::AgentEvent;

use super::Told;
use crate::spans::names;
use crate::spans::values::{set_origin, set_usage};
use crate::text::of_contract;

impl Told<'_> {
    /// Records an event of a turn. Does nothing if no turn is open.
    pub(super) fn of_turn(&mut self, event: &AgentEvent) -> Option<()> {
        let content = self.observed.sink.content;
        let span = &mut self.spans.turn.as_mut()?.span;
        match event {
            AgentEvent::Stopping { by, code, .. } => {
                let attributes = vec![
                    KeyValue::new(names::BY, by.clone()),
                    KeyValue::new(names::CODE, code.clone()),
                ];
                span.event("stopping", attributes);
            }
            AgentEvent::KeptGoing { by, .. } => {
                span.event("kept going", vec![KeyValue::new(names::BY, by.clone())]);
            }
            AgentEvent::TurnSuspended {
                checkpoint, reason, ..
            } => {
                span.set(names::OUTCOME, "suspended");
                span.set(names::CHECKPOINT, checkpoint.clone());
                span.set(names::WAITS_FOR, reason.clone());
                self.spans.span.set(names::OUTCOME, "suspended");
            }
            AgentEvent::TurnResumed { checkpoint } => {
                span.set(names::CHECKPOINT, checkpoint.clone());
            }
            AgentEvent::TurnEnded { origin, usage, .. } => {
                set_usage(span, usage);
                set_origin(span, origin);
            }
            AgentEvent::TurnFailed {
                error,
                kind,
                cancelled,
                ..
            } => match kind.as_ref().map(of_contract) {
                _ if *cancelled => span.set(names::OUTCOME, "cancelled"),
                Some(kind) if kind == "rejected" => span.set(names::OUTCOME, "refused"),
                kind => {
                    span.set(names::OUTCOME, "failed");
                    let kind = kind.unwrap_or_else(|| "interrupted".to_owned());
                    span.fail(kind, content.then(|| error.clone()));
                }
            },
            _ => {}
        }
        Some(())
    }
}
