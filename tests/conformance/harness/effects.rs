//! What happens outside of hooks, told in the agent's own stream of events, so that it stands where
//! it happened.

use portcullis_agent::{AgentEvent, Emitted, EventSender};

/// The name under which effects are told.
pub const EFFECT: &str = "(effect)";

/// Tells effects.
#[derive(Clone)]
pub struct Effects(pub EventSender);

impl Effects {
    pub fn tell(&self, what: impl Into<String>) {
        let event = AgentEvent::HookEmitted {
            hook: EFFECT.into(),
            name: what.into(),
            data: serde_json::Value::Null,
        };
        self.0.emit(|| Emitted::new("".into(), 0, 0, event));
    }
}
