//! The data that all sessions of an agent share.

mod context;
mod endings;
mod subagent;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use portcullis::reload::Listening;
use portcullis::tools::ToolCatalog;

pub use context::AgentContext;
pub(crate) use endings::Endings;
pub(crate) use subagent::{Parents, ResumedChildren, Subagent, SubagentEnd};

use crate::jobs::Jobs;
use crate::journal::RunRecorder;
use crate::prompt::Preflight;
use crate::workspace::Workspaces;

/// Adds native hooks to a session.
pub(crate) type Prepare = dyn Fn(&mut portcullis::Session) + Send + Sync;

/// The data that all sessions of an agent share.
pub(crate) struct Shared {
    pub(crate) context: AgentContext,
    pub(crate) catalog: Arc<ToolCatalog>,
    pub(crate) prepare: Option<Box<Prepare>>,
    /// The sub-agents, by the name of the tool that starts them.
    pub(crate) subagents: BTreeMap<String, Arc<dyn Subagent>>,
    /// The tools that the client runs.
    pub(crate) client_tools: BTreeSet<String>,
    /// The tools whose result is the turn's output.
    pub(crate) finish_tools: BTreeSet<String>,
    pub(crate) journal: Option<Arc<dyn RunRecorder>>,
    pub(crate) endings: Endings,
    pub(crate) preflight: Arc<dyn Preflight>,
    pub(crate) jobs: Arc<Jobs>,
    pub(crate) workspaces: Option<Workspaces>,
    /// Listeners that report reloads to subscribers until they are dropped.
    pub(crate) _reloads: Vec<Listening>,
    /// The provider that is called first.
    pub(crate) provider: String,
    /// The model of that provider.
    pub(crate) model: String,
}

impl Shared {
    /// Returns whether the agent itself runs a tool, which is then neither a sub-agent nor a client
    /// tool.
    pub(crate) fn runs_itself(&self, tool: &str) -> bool {
        self.catalog.get(tool).is_some()
            && !self.subagents.contains_key(tool)
            && !self.client_tools.contains(tool)
    }

    /// Adds the native hooks that every session has.
    pub(crate) fn prepare(&self, hooks: &mut portcullis::Session) {
        if let Some(prepare) = &self.prepare {
            prepare(hooks);
        }
    }
}
