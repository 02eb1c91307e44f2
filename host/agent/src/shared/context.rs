//! The components of an agent.

use std::fmt;
use std::sync::Arc;

use portcullis::Hooks;

use crate::config::AgentConfig;
use crate::events::EventSender;
use crate::memory::Memory;
use crate::policy::Policy;
use crate::provider::Providers;
use crate::tool::ToolDispatcher;

/// The components of an agent (AgentHook's `AgentContext`).
#[derive(Clone)]
pub struct AgentContext {
    /// The providers of its models.
    pub providers: Providers,
    /// Its tools.
    pub tools: Arc<dyn ToolDispatcher>,
    /// Its memory over sessions.
    pub memory: Arc<dyn Memory>,
    /// The operator's policy.
    pub policy: Arc<dyn Policy>,
    /// Its hooks.
    pub hooks: Hooks,
    /// The channel of its events.
    pub events: EventSender,
    /// Its configuration.
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
