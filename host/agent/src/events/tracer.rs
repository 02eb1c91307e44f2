//! The recorder of session spans.

use std::sync::Arc;

use portcullis::observer::HookObserver;
use portcullis::points::PointId;
use portcullis::trace::TraceContext;
use serde::{Deserialize, Serialize};

use super::Emitted;

/// Records sessions as spans of a distributed trace. It gets events and hooks' runs as they happen, in the task
/// that they happen in: take little time.
pub trait Tracer: Send + Sync {
    /// A session is opened.
    fn session_opened(&self, session: SessionSpan<'_>);

    /// A session has ended, is left until its turn is resumed, or was dropped.
    fn session_closed(&self, session: &str);

    /// A turn begins, is resumed or continues. Returns the data that another process needs to
    /// continue it.
    fn turn_began(&self, turn: TurnSpan<'_>) -> Option<TurnTrace>;

    /// A turn has ended, was suspended, or was dropped. Called for turns that are left too.
    fn turn_ended(&self, session: &str);

    /// A turn does not end here: another process continues it.
    fn turn_left(&self, session: &str);

    /// A tool call is about to be admitted, or continues after it waited.
    fn tool_began(&self, session: &str, step: u32, call_id: &str, name: &str);

    /// A tool has run, and its result is about to be checked.
    fn tool_ran(&self, session: &str, call_id: &str);

    /// An event.
    fn emitted(&self, event: &Emitted);

    /// Whether [`Tracer::said`] is to be called. Default: no.
    fn keeps_content(&self) -> bool {
        false
    }

    /// Receives content of a session's turn, without the hooks' secrets. Called before the
    /// content's event.
    fn said(&self, _session: &str, _content: TraceContent<'_>) {}

    /// Returns an observer of a session's hooks. Default: none.
    fn observer(&self, _session: &str) -> Option<Arc<dyn HookObserver>> {
        None
    }

    /// The span that something in a session belongs to.
    fn within(&self, session: &str, place: TracePlace<'_>) -> Option<TraceContext>;
}

/// A session that is opened.
#[derive(Debug, Clone, Copy)]
pub struct SessionSpan<'a> {
    /// Its id.
    pub session: &'a str,
    /// The agent's name.
    pub agent: &'a str,
    /// The span that it is part of, if it is part of one.
    pub parent: Option<&'a TraceContext>,
}

/// A turn that begins.
#[derive(Debug, Clone, Copy)]
pub struct TurnSpan<'a> {
    /// The session.
    pub session: &'a str,
    /// The turn, counted from 1.
    pub turn: u32,
    /// The provider that is called first.
    pub provider: &'a str,
    /// The model that is called first.
    pub model: &'a str,
    /// The span that it is part of, if it was given one.
    pub parent: Option<&'a TraceContext>,
    /// How it begins.
    pub from: TurnFrom<'a>,
}

/// How a turn begins.
#[derive(Debug, Clone, Copy)]
pub enum TurnFrom<'a> {
    /// Anew.
    New,
    /// After it was suspended, with its trace, if known.
    Resumed(Option<&'a TurnTrace>),
    /// After the process that ran it died or ended, with its trace, if known.
    Continued(Option<&'a TurnTrace>),
}

/// The span of a turn, as it is kept with the turn for the process that continues it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnTrace {
    /// The turn's span.
    pub context: TraceContext,
    /// The id of the span that it is part of; `None` if it is the first of its trace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<u64>,
    /// When it began, in milliseconds since the Unix epoch.
    pub began_ms: u64,
}

/// Content from people, models and tools.
#[derive(Debug, Clone, Copy)]
pub enum TraceContent<'a> {
    /// The user's input at the start of a turn.
    Input(&'a str),
    /// A turn's output.
    Output(&'a str),
    /// The arguments of a tool call.
    Arguments {
        /// The id of the call.
        call_id: &'a str,
        /// The arguments: JSON.
        text: &'a str,
    },
    /// The result of a tool call.
    Result {
        /// The id of the call.
        call_id: &'a str,
        /// The result.
        text: &'a str,
    },
}

/// Where in a session something happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TracePlace<'a> {
    /// At a point, about this tool call if it is about one.
    Point(PointId, Option<&'a str>),
    /// In the current model call.
    Model,
    /// In this tool call.
    Tool(&'a str),
}
