//! An event, with where and when it happened.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use super::event::AgentEvent;
use crate::basics::units::now_ms;
use crate::effects::{Within, next_number};

/// An event with its position and time.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Emitted {
    /// The session.
    pub session_id: Arc<str>,
    /// The turn, counted from 1; 0 outside of any turn.
    pub turn: u32,
    /// The step within the turn, counted from 1; 0 outside of any step.
    pub step: u32,
    /// The tool call, if a hook run is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    /// The time, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// Whether it happened before, in a process that died: the turn was run again from its record.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub replayed: bool,
    /// The place of the event, if it was emitted within an effect of a turn that is recorded. A consumer knows by it which
    /// events are repeated, such as the pieces of a model call that was cut off by the death of the process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<Within>,
    /// The event.
    #[serde(flatten)]
    pub event: AgentEvent,
}

impl Emitted {
    /// An event that happens now.
    pub fn new(session_id: Arc<str>, turn: u32, step: u32, event: AgentEvent) -> Self {
        Self {
            session_id,
            turn,
            step,
            call_id: None,
            at_ms: now_ms(),
            replayed: false,
            within: next_number(),
            event,
        }
    }
}

/// Where in a session something happens.
#[derive(Debug, Clone)]
pub(crate) struct Position {
    pub(crate) session_id: Arc<str>,
    /// 0 outside of any turn.
    pub(crate) turn: u32,
    /// 0 outside of any step.
    pub(crate) step: u32,
}

impl Position {
    /// A session outside of any turn.
    pub(crate) fn session(id: &str) -> Self {
        Self {
            session_id: id.into(),
            turn: 0,
            step: 0,
        }
    }
}
