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
