//! What is known of a run of rig's.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use parking_lot::Mutex;
use portcullis::points::pre_tool_call::ToolAnswer;
use rig_core::effect::EffectId;

/// A run. It is one turn.
#[derive(Debug, Clone, Default)]
pub(crate) struct Run {
    /// The turn, counted from 1.
    pub(crate) turn: u32,
    begun: Arc<Mutex<HashMap<EffectId, Begun>>>,
}

/// A call whose result has not come.
#[derive(Debug)]
pub(crate) struct Begun {
    pub(crate) at: Instant,
    /// What a hook answered in place of the tool.
    pub(crate) answer: Option<ToolAnswer>,
}

impl Run {
    pub(crate) fn new(turn: u32) -> Self {
        Self {
            turn,
            ..Self::default()
        }
    }

    /// A call begins.
    pub(crate) fn begin(&self, call: EffectId, answer: Option<ToolAnswer>) {
        let at = Instant::now();
        self.begun.lock().insert(call, Begun { at, answer });
    }

    /// Its result has come.
    pub(crate) fn end(&self, call: EffectId) -> Option<Begun> {
        self.begun.lock().remove(&call)
    }
}
