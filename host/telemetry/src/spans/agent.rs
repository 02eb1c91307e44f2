//! The spans of an agent's sessions, from their events.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::SystemTime;

use opentelemetry::trace::SpanKind;
use parking_lot::Mutex;
use portcullis::observer::HookObserver;
use portcullis::trace::TraceContext;
use portcullis::verdict::HookRun;
use portcullis_agent::{
    Emitted, SessionSpan, TraceContent, TracePlace, Tracer, TurnSpan, TurnTrace,
};

use super::observer::{Observed, Observer, ParentSpan};
use super::session::{SessionSpans, TurnSpans};
use super::span::OpenSpan;
use super::told::{self, Told};
use super::values::messages;
use super::{names, turn};
use crate::conventions;
use crate::metrics::HookUse;

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

    fn ran(&self, session: &str, run: &HookRun) {
        self.with(session, |spans| {
            spans.turn.as_mut().map(|turn| turn.used.add(run))
        });
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
        // The parent of a sub-agent's session is a span of this process.
        if above.is_some() && !self.knows(parent) {
            span = span.remote();
        }
        span.set(conventions::CONVERSATION, session.to_owned());
        span.set(conventions::AGENT, agent.to_owned());
        let spans = SessionSpans {
            session: session.to_owned(),
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

    fn turn_began(&self, began: TurnSpan<'_>) -> Option<TurnTrace> {
        self.sessions.with(began.session, |spans| {
            // The previous turn is still open if its future was dropped.
            spans.end_turn(self.sink());
            let mut span = turn::begin(self.sink(), spans, &began);
            span.set(conventions::OPERATION, "invoke_agent");
            span.set(conventions::AGENT, spans.agent.clone());
            span.set(conventions::CONVERSATION, began.session.to_owned());
            span.set(conventions::PROVIDER, began.provider.to_owned());
            span.set(conventions::MODEL, began.model.to_owned());
            span.set(names::TURN, i64::from(began.turn));
            let since = span.start.duration_since(SystemTime::UNIX_EPOCH);
            let kept = TurnTrace {
                context: span.context.clone(),
                parent: span.parent(),
                began_ms: since.map_or(0, |time| u64::try_from(time.as_millis()).unwrap_or(0)),
            };
            spans.turn = Some(TurnSpans {
                span,
                step: None,
                used: HookUse::default(),
            });
            kept
        })
    }

    fn turn_ended(&self, session: &str) {
        self.count_use(session);
        self.sessions
            .with(session, |spans| spans.end_turn(self.sink()));
    }

    fn turn_left(&self, session: &str) {
        self.count_use(session);
        // The process that resumes the turn begins these spans again, under the same ids.
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
        if !event.replayed {
            self.observed.metrics.emitted(&event.event);
        }
        self.sessions.with(&event.session_id, |spans| {
            if event.replayed {
                return told::again(spans, self.sink(), event);
            }
            let observed = &self.observed;
            Told { observed, spans }.event(event)
        });
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
    /// Records the resources that the hooks of the open turn used.
    fn count_use(&self, session: &str) {
        let used = self
            .sessions
            .with(session, |spans| spans.turn.as_ref().map(|turn| turn.used));
        if let Some(used) = used.flatten() {
            self.observed.metrics.turn_used(used);
        }
    }

    /// Returns whether a span belongs to a session of this process.
    fn knows(&self, parent: Option<&TraceContext>) -> bool {
        let mut sessions = self.sessions.0.lock();
        parent.is_some_and(|parent| {
            let mut all = sessions.values_mut();
            all.any(|spans| spans.find(parent.span_id).is_some())
        })
    }
}
