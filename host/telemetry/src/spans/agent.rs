//! The spans of an agent's sessions, from what they tell.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use opentelemetry::trace::SpanKind;
use opentelemetry::{Array, KeyValue, StringValue, Value};
use parking_lot::Mutex;
use portcullis::contract::Usage;
use portcullis::observer::HookObserver;
use portcullis::trace::TraceContext;
use portcullis_agent::{
    AgentEvent, CallPurpose, Emitted, RetryAction, SessionSpan, TraceContent, TracePlace, Tracer,
    TurnFrom, TurnOrigin, TurnSpan, TurnTrace,
};

use super::hooks::whole;
use super::names;
use super::observer::{Observed, Observer, ParentSpan};
use super::session::{SessionSpans, TurnSpans};
use super::span::OpenSpan;
use crate::conventions;
use crate::text::{of_contract, of_unit};

/// Records the sessions of agents.
pub(crate) struct AgentTracer {
    observed: Arc<Observed>,
    sessions: Arc<Sessions>,
}

/// The open sessions, by id.
#[derive(Default)]
pub(crate) struct Sessions(Mutex<HashMap<String, SessionSpans>>);

impl Sessions {
    fn with<T>(&self, session: &str, work: impl FnOnce(&mut SessionSpans) -> T) -> Option<T> {
        self.0.lock().get_mut(session).map(work)
    }
}

impl ParentSpan for Sessions {
    fn with_span(&self, session: &str, span: u64, work: &mut dyn FnMut(&mut OpenSpan)) {
        self.with(session, |spans| spans.find(span).map(work));
    }
}

impl AgentTracer {
    pub(crate) fn new(observed: Arc<Observed>) -> Self {
        Self {
            observed,
            sessions: Arc::default(),
        }
    }

    fn sink(&self) -> &super::sink::SpanSink {
        &self.observed.sink
    }
}

impl Tracer for AgentTracer {
    fn session_opened(&self, session: SessionSpan<'_>) {
        let SessionSpan {
            session,
            agent,
            parent,
        } = session;
        let (context, above) = match parent {
            Some(parent) => (self.sink().entered(parent), Some(parent.span_id)),
            None => (self.sink().root(), None),
        };
        let mut span = OpenSpan::new(
            context,
            above,
            format!("session {agent}"),
            SpanKind::Internal,
        );
        // A sub-agent's is part of a span of this process, and so is recorded there.
        if above.is_some() && !self.knows(parent) {
            span = span.remote();
        }
        span.set(conventions::CONVERSATION, session.to_owned());
        span.set(conventions::AGENT, agent.to_owned());
        let spans = SessionSpans {
            given: parent.cloned(),
            agent: agent.to_owned(),
            span,
            turn: None,
        };
        self.sessions.0.lock().insert(session.to_owned(), spans);
        self.observed.metrics.session_opened();
    }

    fn session_closed(&self, session: &str) {
        let spans = self.sessions.0.lock().remove(session);
        if let Some(mut spans) = spans {
            spans.end_turn(self.sink());
            self.sink().end(spans.span);
            self.observed.metrics.session_closed();
        }
    }

    fn turn_began(&self, turn: TurnSpan<'_>) -> Option<TurnTrace> {
        self.sessions.with(turn.session, |spans| {
            // That of a turn whose future was dropped.
            spans.end_turn(self.sink());
            let mut span = self.turn_span(spans, &turn);
            span.set(conventions::OPERATION, "invoke_agent");
            span.set(conventions::AGENT, spans.agent.clone());
            span.set(conventions::CONVERSATION, turn.session.to_owned());
            span.set(conventions::PROVIDER, turn.provider.to_owned());
            span.set(conventions::MODEL, turn.model.to_owned());
            span.set(names::TURN, i64::from(turn.turn));
            let began = span.start.duration_since(SystemTime::UNIX_EPOCH);
            let kept = TurnTrace {
                context: span.context.clone(),
                parent: span.parent(),
                began_ms: began.map_or(0, |time| u64::try_from(time.as_millis()).unwrap_or(0)),
            };
            spans.turn = Some(TurnSpans { span, step: None });
            kept
        })
    }

    fn turn_ended(&self, session: &str) {
        self.sessions
            .with(session, |spans| spans.end_turn(self.sink()));
    }

    fn turn_left(&self, session: &str) {
        // What is open in it is begun again, under the same ids.
        self.sessions.with(session, |spans| spans.turn = None);
    }

    fn tool_began(&self, session: &str, step: u32, call_id: &str, name: &str) {
        self.sessions.with(session, |spans| {
            let turn = spans.turn.as_mut()?;
            if turn.step.is_none() {
                // The turn was suspended in a step.
                turn.begin_step(step, self.sink());
            }
            turn.step.as_mut()?.tool(call_id, name);
            Some(())
        });
    }

    fn tool_ran(&self, session: &str, call_id: &str) {
        self.sessions.with(session, |spans| {
            let step = spans.turn.as_mut()?.step.as_mut()?;
            step.tools.get_mut(call_id)?.end = Some(SystemTime::now());
            Some(())
        });
    }

    fn emitted(&self, event: &Emitted) {
        if event.replayed {
            self.replayed(event);
        } else {
            self.observed.metrics.emitted(&event.event);
            self.sessions
                .with(&event.session_id, |spans| self.happened(spans, event));
        }
    }

    fn keeps_content(&self) -> bool {
        self.sink().content && self.sink().records()
    }

    fn said(&self, session: &str, content: TraceContent<'_>) {
        self.sessions.with(session, |spans| {
            let turn = spans.turn.as_mut()?;
            match content {
                TraceContent::Input(text) => {
                    let messages = messages("user", text, None);
                    turn.span.set(conventions::INPUT_MESSAGES, messages);
                }
                TraceContent::Output(text) => {
                    let messages = messages("assistant", text, Some("stop"));
                    turn.span.set(conventions::OUTPUT_MESSAGES, messages);
                }
                TraceContent::Arguments { call_id, text } => {
                    let tool = turn.step.as_mut()?.tools.get_mut(call_id)?;
                    tool.set(conventions::TOOL_ARGUMENTS, text.to_owned());
                }
                TraceContent::Result { call_id, text } => {
                    let tool = turn.step.as_mut()?.tools.get_mut(call_id)?;
                    tool.set(conventions::TOOL_RESULT, text.to_owned());
                }
            }
            Some(())
        });
    }

    fn observer(&self, session: &str) -> Option<Arc<dyn HookObserver>> {
        let parents: Arc<dyn ParentSpan> = self.sessions.clone();
        Some(Arc::new(Observer::new(
            self.observed.clone(),
            session,
            Some(parents),
        )))
    }

    fn within(&self, session: &str, place: TracePlace<'_>) -> Option<TraceContext> {
        let records = self.sink().records();
        let sessions = self.sessions.0.lock();
        let spans = sessions.get(session)?;
        match records {
            true => Some(spans.within(place).clone()),
            false => spans.given.clone(),
        }
    }
}

impl AgentTracer {
    /// Whether a span is of a session of this process.
    fn knows(&self, parent: Option<&TraceContext>) -> bool {
        let mut sessions = self.sessions.0.lock();
        parent.is_some_and(|parent| {
            let mut all = sessions.values_mut();
            all.any(|spans| spans.find(parent.span_id).is_some())
        })
    }

    /// The span of a turn that begins.
    fn turn_span(&self, spans: &SessionSpans, turn: &TurnSpan<'_>) -> OpenSpan {
        let name = format!("invoke_agent {}", spans.agent);
        let new =
            |context, parent| OpenSpan::new(context, parent, name.clone(), SpanKind::Internal);
        let entered =
            |parent: &TraceContext| new(self.sink().entered(parent), Some(parent.span_id));
        match turn.from {
            TurnFrom::Continued(Some(kept)) => {
                let mut span = new(kept.context.clone(), kept.parent).remote();
                span.start = SystemTime::UNIX_EPOCH + Duration::from_millis(kept.began_ms);
                span.set(names::CONTINUED, true);
                span.link(&spans.span.context);
                span
            }
            TurnFrom::Resumed(Some(kept)) => {
                let mut span = entered(&kept.context).remote();
                span.link(&spans.span.context);
                span
            }
            TurnFrom::New | TurnFrom::Resumed(None) | TurnFrom::Continued(None) => {
                match (turn.parent, &spans.given) {
                    (Some(parent), _) => {
                        let mut span = entered(parent).remote();
                        span.link(&spans.span.context);
                        span
                    }
                    (None, Some(_)) => {
                        let session = &spans.span.context;
                        OpenSpan::within(session, name, SpanKind::Internal)
                    }
                    (None, None) => {
                        let mut span = new(self.sink().root(), None);
                        span.link(&spans.span.context);
                        span
                    }
                }
            }
        }
    }

    /// What happened in a process that has ended. Its spans are there, if it could send them.
    fn replayed(&self, event: &Emitted) {
        self.sessions.with(&event.session_id, |spans| {
            let turn = spans.turn.as_mut()?;
            match &event.event {
                AgentEvent::StepStarted => turn.begin_step(event.step, self.sink()),
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
        });
    }

    fn happened(&self, spans: &mut SessionSpans, event: &Emitted) -> Option<()> {
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
                spans.turn.as_mut()?.begin_step(event.step, self.sink());
            }
            AgentEvent::StepEnded { .. } => {
                let step = spans.turn.as_mut()?.step.as_mut()?;
                step.end_tools(self.sink());
                step.span.end = Some(SystemTime::now());
            }
            AgentEvent::LlmCallStarted {
                provider,
                model,
                attempt,
                purpose,
                ..
            } => {
                let span = chat(&spans.innermost().context, provider, model);
                let step = spans.turn.as_mut()?.step.as_mut()?;
                let span = step.model.insert(span);
                span.set(names::ATTEMPT, i64::from(*attempt));
                span.set(names::PURPOSE, purpose_name(*purpose));
            }
            AgentEvent::LlmCallFinished {
                answered_by: Some(hook),
                ..
            } => {
                let event = vec![KeyValue::new(names::BY, hook.clone())];
                spans
                    .innermost()
                    .event("model call answered by a hook", event);
            }
            AgentEvent::LlmCallFinished {
                provider,
                model,
                usage,
                stop,
                elapsed_ms,
                ..
            } => {
                let mut span = self.end_chat(spans, provider, model, *elapsed_ms);
                set_usage(&mut span, usage);
                let reasons = Array::String(vec![StringValue::from(stop.clone())]);
                span.set(conventions::FINISH_REASONS, Value::Array(reasons));
                self.sink().end(span);
            }
            AgentEvent::LlmCallFailed {
                provider,
                model,
                error,
                kind,
                elapsed_ms,
                ..
            } => {
                let mut span = self.end_chat(spans, provider, model, *elapsed_ms);
                span.fail(
                    of_contract(kind),
                    self.sink().content.then(|| error.clone()),
                );
                self.sink().end(span);
            }
            AgentEvent::Retry { action, by } => {
                let mut attributes = vec![KeyValue::new(names::OUTCOME, retry_name(action))];
                attributes.extend(by.clone().map(|by| KeyValue::new(names::BY, by)));
                spans.innermost().event("retry", attributes);
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
                // A call that did not run is over once its hooks are, not once its result is committed.
                tool.end.get_or_insert(tool.start);
                tool.set(names::RAN, *ran);
                tool.set(names::OUTCOME, if *is_error { "error" } else { "ok" });
                if *is_error && *ran {
                    tool.fail("tool_error", None);
                }
            }
            AgentEvent::HookModelCall {
                hook,
                provider,
                model,
                usage,
                error,
                elapsed_ms,
            } => {
                let runs = &self.observed.runs;
                let parent = runs.of_hook(&event.session_id, hook);
                let mut span = match parent {
                    Some(parent) => chat(&parent, provider, model),
                    None => chat(&spans.innermost().context, provider, model),
                };
                span.start -= Duration::from_millis(*elapsed_ms);
                span.set(names::HOOK, hook.clone());
                match usage {
                    Some(usage) => set_usage(&mut span, usage),
                    None => span.fail("model_error", error.clone().filter(|_| self.sink().content)),
                }
                self.sink().end(span);
            }
            AgentEvent::Stopping { by, code, .. } => {
                let attributes = vec![
                    KeyValue::new(names::BY, by.clone()),
                    KeyValue::new(names::CODE, code.clone()),
                ];
                spans.turn.as_mut()?.span.event("stopping", attributes);
            }
            AgentEvent::KeptGoing { by, .. } => {
                let by = vec![KeyValue::new(names::BY, by.clone())];
                spans.turn.as_mut()?.span.event("kept going", by);
            }
            AgentEvent::Compacted { removed, .. } => {
                let removed = i64::try_from(*removed).unwrap_or(i64::MAX);
                let removed = vec![KeyValue::new("portcullis.messages.removed", removed)];
                spans.innermost().event("compacted", removed);
            }
            AgentEvent::TurnSuspended {
                checkpoint, reason, ..
            } => {
                let span = &mut spans.turn.as_mut()?.span;
                span.set(names::OUTCOME, "suspended");
                span.set(names::CHECKPOINT, checkpoint.clone());
                span.set("portcullis.waits_for", reason.clone());
                spans.span.set(names::OUTCOME, "suspended");
            }
            AgentEvent::TurnResumed { checkpoint } => {
                let span = &mut spans.turn.as_mut()?.span;
                span.set(names::CHECKPOINT, checkpoint.clone());
            }
            AgentEvent::TurnEnded { origin, usage, .. } => {
                let span = &mut spans.turn.as_mut()?.span;
                set_usage(span, usage);
                set_origin(span, origin);
            }
            AgentEvent::TurnFailed {
                error,
                kind,
                cancelled,
                ..
            } => {
                let span = &mut spans.turn.as_mut()?.span;
                let kind = kind.as_ref().map(of_contract);
                match kind {
                    _ if *cancelled => span.set(names::OUTCOME, "cancelled"),
                    Some(kind) if kind == "rejected" => span.set(names::OUTCOME, "refused"),
                    kind => {
                        span.set(names::OUTCOME, "failed");
                        let kind = kind.unwrap_or_else(|| "interrupted".to_owned());
                        span.fail(kind, self.sink().content.then(|| error.clone()));
                    }
                }
            }
            _ => {}
        }
        Some(())
    }

    /// The span of the model call that has ended.
    fn end_chat(&self, spans: &mut SessionSpans, provider: &str, model: &str, ms: u64) -> OpenSpan {
        let parent = spans.innermost().context.clone();
        let step = spans.turn.as_mut().and_then(|turn| turn.step.as_mut());
        let open = step.and_then(|step| step.model.take());
        let span = open.unwrap_or_else(|| {
            // It was announced in a process that has ended.
            let mut span = chat(&parent, provider, model);
            span.start -= Duration::from_millis(ms);
            span
        });
        spans.innermost().child_ended(SystemTime::now());
        span
    }
}

fn chat(parent: &TraceContext, provider: &str, model: &str) -> OpenSpan {
    let mut span = OpenSpan::within(parent, format!("chat {model}"), SpanKind::Client);
    span.set(conventions::OPERATION, "chat");
    span.set(conventions::PROVIDER, provider.to_owned());
    span.set(conventions::MODEL, model.to_owned());
    span
}

fn set_usage(span: &mut OpenSpan, usage: &Usage) {
    for (key, tokens) in [
        (conventions::INPUT_TOKENS, usage.input_tokens),
        (conventions::OUTPUT_TOKENS, usage.output_tokens),
    ] {
        span.set(key, whole(tokens));
    }
    for (key, tokens) in [
        (conventions::CACHE_READ_TOKENS, usage.cache_read_tokens),
        (conventions::CACHE_WRITE_TOKENS, usage.cache_write_tokens),
    ] {
        if tokens > 0 {
            span.set(key, whole(tokens));
        }
    }
}

fn set_origin(span: &mut OpenSpan, origin: &TurnOrigin) {
    let (outcome, by, code) = match origin {
        TurnOrigin::Model => ("ok", None, None),
        TurnOrigin::Answered { by } => ("answered", Some(by), None),
        TurnOrigin::Tool { name } => ("finished", Some(name), None),
        TurnOrigin::Stopped { by, code, .. } => ("stopped", Some(by), Some(code)),
        TurnOrigin::Recovered { by, .. } => ("recovered", Some(by), None),
    };
    span.set(names::OUTCOME, outcome);
    span.set_some(names::BY, by.cloned());
    span.set_some(names::CODE, code.cloned());
}

/// Messages in the form of the conventions.
fn messages(role: &str, text: &str, finish: Option<&str>) -> String {
    let mut message = serde_json::json!({
        "role": role,
        "parts": [{ "type": "text", "content": text }],
    });
    if let (Some(finish), Some(fields)) = (finish, message.as_object_mut()) {
        fields.insert("finish_reason".into(), finish.into());
    }
    serde_json::Value::Array(vec![message]).to_string()
}

fn purpose_name(purpose: CallPurpose) -> &'static str {
    match purpose {
        CallPurpose::Step => "step",
        CallPurpose::Compaction => "compaction",
    }
}

fn retry_name(action: &RetryAction) -> &'static str {
    match action {
        RetryAction::Retry { .. } => "retry",
        RetryAction::SwitchProvider { .. } => "switch-provider",
        RetryAction::GiveUp { .. } => "give-up",
    }
}
