//! Writing an agent's events into the open spans of their session.

mod models;
mod turns;

use std::time::{Duration, SystemTime};

use opentelemetry::KeyValue;
use portcullis_agent::{AgentEvent, Emitted};

use super::names;
use super::observer::Observed;
use super::session::SessionSpans;
use super::sink::SpanSink;
use super::values::set_usage;
use crate::conventions;
use crate::text::of_unit;

/// The spans of the session whose events are recorded.
pub(super) struct Told<'a> {
    pub(super) observed: &'a Observed,
    pub(super) spans: &'a mut SessionSpans,
}

/// Replays an event of a process that has ended. That process has already sent the spans of the
/// event, if it could.
pub(super) fn again(spans: &mut SessionSpans, sink: &SpanSink, event: &Emitted) -> Option<()> {
    let turn = spans.turn.as_mut()?;
    match &event.event {
        AgentEvent::StepStarted => turn.begin_step(event.step, sink),
        AgentEvent::StepEnded { .. } => {
            let step = turn.step.as_mut()?;
            step.is_replayed = true;
            step.tools.clear();
        }
        AgentEvent::ToolFinished { call_id, .. } => {
            turn.step.as_mut()?.tools.remove(call_id);
        }
        _ => {}
    }
    Some(())
}

impl Told<'_> {
    /// Records an event. Does nothing if the event's span is not open.
    pub(super) fn event(&mut self, event: &Emitted) -> Option<()> {
        let Self { observed, spans } = self;
        let sink = &observed.sink;
        match &event.event {
            AgentEvent::SessionStarted {
                provider, model, ..
            } => {
                spans.span.set(conventions::PROVIDER, provider.clone());
                spans.span.set(conventions::MODEL, model.clone());
            }
            AgentEvent::SessionEnded { reason, usage, .. } => {
                spans.span.set(names::OUTCOME, of_unit(reason));
                set_usage(&mut spans.span, usage);
            }
            AgentEvent::StepStarted => {
                spans.turn.as_mut()?.begin_step(event.step, sink);
            }
            AgentEvent::StepEnded { .. } => {
                let step = spans.turn.as_mut()?.step.as_mut()?;
                step.end_tools(sink);
                step.span.end = Some(SystemTime::now());
            }
            AgentEvent::ToolStarted { call_id, name, .. } => {
                spans.turn.as_mut()?.step.as_mut()?.tool(call_id, name);
            }
            AgentEvent::ToolFinished {
                call_id,
                name,
                is_error,
                ran,
                elapsed_ms,
                ..
            } => {
                let step = spans.turn.as_mut()?.step.as_mut()?;
                let is_new = !step.tools.contains_key(call_id);
                let tool = step.tool(call_id, name);
                if is_new {
                    tool.start -= Duration::from_millis(*elapsed_ms);
                    tool.end = Some(SystemTime::now());
                }
                // A call that did not run ends with its hooks, not when its result is committed.
                tool.end.get_or_insert(tool.start);
                tool.set(names::RAN, *ran);
                tool.set(names::OUTCOME, if *is_error { "error" } else { "ok" });
                if *is_error && *ran {
                    tool.fail("tool_error", None);
                }
            }
            AgentEvent::Compacted { removed, .. } => {
                let removed = i64::try_from(*removed).unwrap_or(i64::MAX);
                let removed = vec![KeyValue::new(names::REMOVED, removed)];
                spans.innermost().event("compacted", removed);
            }
            event => {
                self.of_model(event);
                self.of_turn(event)?;
            }
        }
        Some(())
    }
}
