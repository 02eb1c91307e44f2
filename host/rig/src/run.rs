//! The state of a rig run.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use parking_lot::Mutex;
use portcullis::points::pre_tool_call::ToolAnswer;
use portcullis::tools::ToolCatalog;
use rig_core::effect::EffectId;

/// A rig run, which is one turn.
#[derive(Debug, Clone, Default)]
pub(crate) struct Run {
    /// The turn, counted from 1.
    pub(crate) turn: u32,
    known: Arc<Mutex<Known>>,
}

#[derive(Debug, Default)]
struct Known {
    begun: HashMap<EffectId, Begun>,
    offered: Option<Arc<ToolCatalog>>,
    output_tool: Option<String>,
}

/// A tool or model call without a result.
#[derive(Debug)]
pub(crate) struct Begun {
    pub(crate) at: Instant,
    /// A hook's answer in place of the tool.
    pub(crate) answered: Option<Answered>,
}

/// A hook's answer in place of a tool.
#[derive(Debug)]
pub(crate) struct Answered {
    pub(crate) answer: ToolAnswer,
    /// The arguments after the hooks have run.
    pub(crate) arguments: String,
}

impl Run {
    pub(crate) fn new(turn: u32) -> Self {
        Self {
            turn,
            ..Self::default()
        }
    }

    /// Records the start of a call.
    pub(crate) fn begin(&self, call: EffectId, answered: Option<Answered>) {
        let at = Instant::now();
        let begun = Begun { at, answered };
        self.known.lock().begun.insert(call, begun);
    }

    /// Removes and returns a call that has ended.
    pub(crate) fn end(&self, call: EffectId) -> Option<Begun> {
        self.known.lock().begun.remove(&call)
    }

    /// Sets rig's output tool, which the model may call to answer.
    pub(crate) fn answer_by(&self, output_tool: Option<String>) {
        self.known.lock().output_tool = output_tool;
    }

    /// Returns rig's output tool, which the model may call to answer.
    pub(crate) fn output_tool(&self) -> Option<String> {
        self.known.lock().output_tool.clone()
    }

    /// Sets the tools that the model is offered.
    pub(crate) fn offer(&self, tools: Arc<ToolCatalog>) {
        self.known.lock().offered = Some(tools);
    }

    /// Returns the tools that the model was last offered. `None` in a run that resumes with tool
    /// calls.
    pub(crate) fn offered(&self) -> Option<Arc<ToolCatalog>> {
        self.known.lock().offered.clone()
    }
}
