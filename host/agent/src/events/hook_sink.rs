//! Hooks' own events among the agent's.

use portcullis::{HookEvent, HookSink, LogLine, TracingSink};

use super::{AgentEvent, Emitted, EventSender};

/// Hooks' events go to the agent's subscribers, hooks' log lines to `tracing`.
impl HookSink for EventSender {
    fn log(&self, line: LogLine<'_>) {
        TracingSink.log(line);
    }

    fn event(&self, event: HookEvent) {
        self.emit(|| {
            let emitted = AgentEvent::HookEmitted {
                hook: event.hook.to_string(),
                name: event.name,
                data: event.data,
            };
            // The hook's side does not say in which turn it was.
            Emitted::new(event.session.as_str().into(), 0, 0, emitted)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hooks_events_reach_subscribers() {
        let events = EventSender::new();
        let mut heard = events.subscribe();
        events.event(HookEvent {
            hook: "cost".into(),
            session: "s".into(),
            name: "spent".into(),
            data: serde_json::json!({ "usd": 1 }),
        });
        let emitted = heard.try_next().map(|event| serde_json::to_value(&*event));
        let json = emitted.and_then(Result::ok).unwrap_or_default();
        assert_eq!(json["event"], "hook-emitted");
        assert_eq!(
            (&json["hook"], &json["session_id"]),
            (&"cost".into(), &"s".into())
        );
        assert_eq!(json["data"]["usd"], 1);
    }
}
