//! The spans of a session, for tracers and for called services.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use portcullis::contract::ToolCall;
use portcullis::points::PointId;
use portcullis::trace::{CallTrace, TraceContext};

use crate::basics::units::now_ms;
use crate::events::{SessionSpan, TraceContent, TracePlace, Tracer, TurnFrom, TurnSpan, TurnTrace};

/// The spans of a session. Dropping it ends them.
pub(crate) struct SessionTrace {
    tracer: Option<Arc<dyn Tracer>>,
    session: Arc<str>,
    /// The span that the session is part of.
    given: Option<TraceContext>,
    /// The span that the next turns are part of.
    pub(crate) of_turns: Option<TraceContext>,
    /// The trace of the current turn.
    turn: Option<TurnTrace>,
    /// The trace of a continued turn.
    pub(crate) continued: Option<TurnTrace>,
    /// The number of calls of points.
    calls: AtomicU64,
}

/// Ends the spans of a turn.
pub(crate) struct EndsTurn(Option<(Arc<dyn Tracer>, Arc<str>)>);

impl Drop for EndsTurn {
    fn drop(&mut self) {
        if let Some((tracer, session)) = &self.0 {
            tracer.turn_ended(session);
        }
    }
}

impl Drop for SessionTrace {
    fn drop(&mut self) {
        if let Some(tracer) = &self.tracer {
            tracer.session_closed(&self.session);
        }
    }
}

impl SessionTrace {
    /// Opens the span of a session.
    pub(crate) fn open(
        tracer: Option<Arc<dyn Tracer>>,
        session: &Arc<str>,
        agent: &str,
        given: Option<TraceContext>,
    ) -> Self {
        if let Some(tracer) = &tracer {
            tracer.session_opened(SessionSpan {
                session,
                agent,
                parent: given.as_ref(),
            });
        }
        Self {
            tracer,
            session: session.clone(),
            given,
            of_turns: None,
            turn: None,
            continued: None,
            // Random, because another process may continue the same turn.
            calls: AtomicU64::new(RandomState::new().build_hasher().finish()),
        }
    }

    /// Begins the span of a turn.
    pub(crate) fn begin_turn(&mut self, turn: u32, first: (&str, &str), from: TurnFrom<'_>) {
        let parent = self.of_turns.as_ref();
        self.turn = match &self.tracer {
            Some(tracer) => tracer.turn_began(TurnSpan {
                session: &self.session,
                turn,
                provider: first.0,
                model: first.1,
                parent,
                from,
            }),
            None => match from {
                TurnFrom::New => None,
                TurnFrom::Resumed(kept) | TurnFrom::Continued(kept) => kept.cloned(),
            },
        };
    }

    /// Ends the spans of the current turn when it is dropped.
    pub(crate) fn ends_turn(&self) -> EndsTurn {
        let tracer = self.tracer.clone();
        EndsTurn(tracer.map(|tracer| (tracer, self.session.clone())))
    }

    /// Reports that another process continues the turn.
    pub(crate) fn leave_turn(&self) {
        if let Some(tracer) = &self.tracer {
            tracer.turn_left(&self.session);
        }
    }

    /// Returns the trace stored with the turn, for the process that continues it.
    pub(crate) fn turn(&self) -> Option<TurnTrace> {
        let passed_on = || self.of_turns.as_ref().or(self.given.as_ref());
        self.turn.clone().or_else(|| {
            let context = passed_on()?.clone();
            Some(TurnTrace {
                context,
                parent: None,
                began_ms: now_ms(),
            })
        })
    }

    /// Passes content to the tracer.
    pub(crate) fn said(&self, content: TraceContent<'_>) {
        if let Some(tracer) = &self.tracer {
            tracer.said(&self.session, content);
        }
    }

    /// Returns whether the tracer keeps content.
    pub(crate) fn keeps_content(&self) -> bool {
        self.tracer
            .as_ref()
            .is_some_and(|tracer| tracer.keeps_content())
    }

    /// Begins the span of a tool call.
    pub(crate) fn tool_began(&self, step: u32, call: &ToolCall) {
        if let Some(tracer) = &self.tracer {
            tracer.tool_began(&self.session, step, &call.id, &call.name);
        }
    }

    /// Records that a tool has run.
    pub(crate) fn tool_ran(&self, call_id: &str) {
        if let Some(tracer) = &self.tracer {
            tracer.tool_ran(&self.session, call_id);
        }
    }

    /// Returns the span of a place. Without a tracer, returns the given span.
    pub(crate) fn within(&self, place: TracePlace<'_>) -> Option<TraceContext> {
        match &self.tracer {
            Some(tracer) => tracer.within(&self.session, place),
            None => {
                let turn = self.turn.as_ref().map(|turn| &turn.context);
                let given = self.of_turns.as_ref().or(turn).or(self.given.as_ref());
                given.cloned()
            }
        }
    }

    /// Returns the span in which a point's hooks are called.
    pub(crate) fn of_call(&self, point: PointId, call_id: Option<&str>) -> Option<Arc<CallTrace>> {
        let context = self.within(TracePlace::Point(point, call_id))?;
        Some(Arc::new(match &self.tracer {
            Some(_) => CallTrace::new(context, self.calls.fetch_add(1, Ordering::Relaxed)),
            None => CallTrace::passed_on(context),
        }))
    }
}
