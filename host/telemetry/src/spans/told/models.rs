//! The spans of model calls: the agent's calls, and the hooks' calls.

use std::time::{Duration, SystemTime};

use opentelemetry::trace::SpanKind;
use opentelemetry::{Array, KeyValue, StringValue, Value};
use portcullis::trace::TraceContext;
use portcullis_agent::AgentEvent;

use super::Told;
use crate::conventions;
use crate::spans::names;
use crate::spans::session::StepSpans;
use crate::spans::span::OpenSpan;
use crate::spans::values::{purpose_name, retry_name, set_usage};
use crate::text::of_contract;

impl Told<'_> {
    /// Records the start, the end or the retry of a model call.
    pub(super) fn of_model(&mut self, event: &AgentEvent) {
        let sink = &self.observed.sink;
        match event {
            AgentEvent::LlmCallStarted {
                provider,
                model,
                attempt,
                purpose,
                ..
            } => {
                let mut span = chat(&self.spans.innermost().context, provider, model);
                span.set(names::ATTEMPT, i64::from(*attempt));
                span.set(names::PURPOSE, purpose_name(*purpose));
                if let Some(step) = self.step() {
                    step.model = Some(span);
                }
            }
            AgentEvent::LlmCallFinished {
                answered_by: Some(hook),
                ..
            } => {
                let by = vec![KeyValue::new(names::BY, hook.clone())];
                let innermost = self.spans.innermost();
                innermost.event("model call answered by a hook", by);
            }
            AgentEvent::LlmCallFinished {
                provider,
                model,
                usage,
                stop,
                elapsed_ms,
                ..
            } => {
                let mut span = self.ended(provider, model, *elapsed_ms);
                set_usage(&mut span, usage);
                let reasons = Array::String(vec![StringValue::from(stop.clone())]);
                span.set(conventions::FINISH_REASONS, Value::Array(reasons));
                sink.end(span);
            }
            AgentEvent::LlmCallFailed {
                provider,
                model,
                error,
                kind,
                elapsed_ms,
                ..
            } => {
                let mut span = self.ended(provider, model, *elapsed_ms);
                span.fail(of_contract(kind), sink.content.then(|| error.clone()));
                sink.end(span);
            }
            AgentEvent::Retry { action, by } => {
                let mut attributes = vec![KeyValue::new(names::OUTCOME, retry_name(action))];
                attributes.extend(by.clone().map(|by| KeyValue::new(names::BY, by)));
                self.spans.innermost().event("retry", attributes);
            }
            AgentEvent::HookModelCall {
                hook,
                provider,
                model,
                usage,
                error,
                elapsed_ms,
            } => {
                let session = &self.spans.session;
                let run = self.observed.runs.of_hook(session, hook);
                let parent = run.map(|(_, context)| context);
                let parent = parent.unwrap_or_else(|| self.spans.innermost().context.clone());
                let mut span = chat(&parent, provider, model);
                span.start -= Duration::from_millis(*elapsed_ms);
                span.set(names::HOOK, hook.clone());
                match usage {
                    Some(usage) => set_usage(&mut span, usage),
                    None => span.fail("model_error", error.clone().filter(|_| sink.content)),
                }
                sink.end(span);
            }
            _ => {}
        }
    }

    /// Returns the span of the agent's model call that has ended.
    fn ended(&mut self, provider: &str, model: &str, elapsed_ms: u64) -> OpenSpan {
        let open = self.step().and_then(|step| step.model.take());
        let innermost = self.spans.innermost();
        innermost.child_ended(SystemTime::now());
        open.unwrap_or_else(|| {
            // The call was announced in a process that has ended.
            let mut span = chat(&innermost.context, provider, model);
            span.start -= Duration::from_millis(elapsed_ms);
            span
        })
    }

    fn step(&mut self) -> Option<&mut StepSpans> {
        self.spans.turn.as_mut()?.step.as_mut()
    }
}

fn chat(parent: &TraceContext, provider: &str, model: &str) -> OpenSpan {
    let mut span = OpenSpan::within(parent, format!("chat {model}"), SpanKind::Client);
    span.set(conventions::OPERATION, "chat");
    span.set(conventions::PROVIDER, provider.to_owned());
    span.set(conventions::MODEL, model.to_owned());
    span
}
