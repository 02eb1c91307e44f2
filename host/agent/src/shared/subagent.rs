//! The interface of sub-agents. A session starts its sub-agents only through [`Subagent`], so it
//! need not know how sessions are opened.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::future::BoxFuture;
use parking_lot::Mutex;
use portcullis::Hooks;
use portcullis::completion::ModelBudgets;
use portcullis::contract::Usage;

use super::Shared;
use crate::checkpoint::{CheckpointId, Resolution};
use crate::effects::Scope;
use crate::exchange::{NewSession, TurnEnd};
use crate::workspace::Workspace;

/// The parents of a session. Empty, unless the session is a sub-agent's.
#[derive(Clone, Default)]
pub(crate) struct Parents {
    /// The agents above, outermost first. Their hooks run first.
    pub(crate) agents: Vec<Arc<Shared>>,
    /// The id of the outermost agent's session.
    pub(crate) root: Option<Arc<str>>,
    /// The additional hooks of the turn that starts it. They run before all others.
    pub(crate) turn_hooks: Option<Hooks>,
    /// The workspace of the parent's session.
    pub(crate) workspace: Option<Workspace>,
    /// The hooks' model budgets in the turn that starts the sub-agent.
    pub(crate) model_budgets: Option<ModelBudgets>,
    /// The effects of the call that starts it.
    pub(crate) effects: Scope,
    /// The checkpoints that sub-agents are resumed from in the outermost agent's turn.
    pub(crate) resumed_children: ResumedChildren,
}

/// The checkpoints that sub-agents are resumed from in a turn of the outermost agent. They are kept
/// until that turn ends, because it may be run again from its own checkpoint. All sessions of the
/// turn share them.
#[derive(Clone, Default)]
pub(crate) struct ResumedChildren(Arc<Mutex<Vec<CheckpointId>>>);

impl ResumedChildren {
    pub(crate) fn add(&self, checkpoint: CheckpointId) {
        self.0.lock().push(checkpoint);
    }

    pub(crate) fn take(&self) -> Vec<CheckpointId> {
        std::mem::take(&mut self.0.lock())
    }
}

/// An agent that another agent starts as a tool.
//
// Not by `async_trait`: for each method that it makes, the compiler finds anew that all types of a turn are `Send`, which took
// 9 of 46 seconds.
pub(crate) trait Subagent: Send + Sync {
    fn shared(&self) -> &Arc<Shared>;

    /// Opens a session, runs its one turn and closes it.
    fn run(&self, new: NewSession, parents: Parents, task: String) -> BoxFuture<'_, SubagentEnd>;

    /// Resumes its suspended turn and closes the session.
    fn resume(
        &self,
        new: NewSession,
        parents: Parents,
        checkpoint: CheckpointId,
        resolutions: BTreeMap<String, Resolution>,
    ) -> BoxFuture<'_, SubagentEnd>;
}

/// The end of a sub-agent's turn.
pub(crate) enum SubagentEnd {
    Turn(TurnEnd),
    /// The error text, and the usage.
    Failed(String, Usage),
}
