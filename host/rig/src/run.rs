//! The state of a rig run.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use parking_lot::Mutex;
use portcullis::points::pre_tool_call::ToolAnswer;
use portcullis::tools::ToolCatalog;
use rig_core::effect::EffectId;

/// A run. It is one turn.
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

/// A call whose result has not come.
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
    /// The arguments as hooks left them.
    pub(crate) arguments: String,
}

impl Run {
    pub(crate) fn new(turn: u32) -> Self {
        Self {
            turn,
            ..Self::default()
        }
    }

    /// A call begins.
    pub(crate) fn begin(&self, call: EffectId, answered: Option<Answered>) {
        let at = Instant::now();
        let begun = Begun { at, answered };
        self.known.lock().begun.insert(call, begun);
    }

    /// Its result has come.
    pub(crate) fn end(&self, call: EffectId) -> Option<Begun> {
        self.known.lock().begun.remove(&call)
    }

    /// Sets rig's output tool, by which the model may answer.
    pub(crate) fn answer_by(&self, output_tool: Option<String>) {
        self.known.lock().output_tool = output_tool;
    }

    /// The tool by which the model may give its answer.
    pub(crate) fn output_tool(&self) -> Option<String> {
        self.known.lock().output_tool.clone()
    }

    /// The model is offered these tools.
    pub(crate) fn offer(&self, tools: Arc<ToolCatalog>) {
        self.known.lock().offered = Some(tools);
    }

    /// The tools that the model was offered last. None in a run that is resumed with calls of tools.
    pub(crate) fn offered(&self) -> Option<Arc<ToolCatalog>> {
        self.known.lock().offered.clone()
    }
}
