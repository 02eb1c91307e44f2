//! What an agent is made of.

use std::fmt;
use std::sync::Arc;

use portcullis::Hooks;

use crate::config::AgentConfig;
use crate::events::EventSender;
use crate::memory::Memory;
use crate::policy::Policy;
use crate::provider::Providers;
use crate::tool::ToolDispatcher;

/// What an agent is made of (seed 000's `AgentContext`).
#[derive(Clone)]
pub struct AgentContext {
    /// The models it calls.
    pub providers: Providers,
    /// What models can have done.
    pub tools: Arc<dyn ToolDispatcher>,
    /// What it remembers from one session to the next.
    pub memory: Arc<dyn Memory>,
    /// What the operator allows.
    pub policy: Arc<dyn Policy>,
    /// The lifecycle hooks.
    pub hooks: Hooks,
    /// Where events go.
    pub events: EventSender,
    /// How it behaves.
    pub config: AgentConfig,
}

impl fmt::Debug for AgentContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AgentContext")
            .field("providers", &self.providers)
            .field("hooks", &self.hooks)
            .field("config", &self.config)
            .finish_non_exhaustive()
    }
}
