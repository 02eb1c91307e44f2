//! Effects outside hooks, reported in the agent's own event stream, so that they appear at their
//! position in it.

use portcullis_agent::{AgentEvent, Emitted, EventSender};

/// The name under which effects are reported.
pub const EFFECT: &str = "(effect)";

/// Reports effects.
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
