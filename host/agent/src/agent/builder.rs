//! From nothing to an agent.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use portcullis::{CatalogError, Hooks, ToolCatalog};

use super::{Agent, AgentContext, Prepare, Shared};
use crate::config::AgentConfig;
use crate::events::EventSender;
use crate::jobs::{Asides, JobHandler, Jobs};
use crate::memory::{Memory, NoMemory};
use crate::policy::{Policy, RulePolicy};
use crate::prompt::{FallbackPreflight, Preflight};
use crate::provider::{Provider, Providers, ProvidersError};
use crate::tool::{ToolDispatcher, Toolbox};

/// Puts an agent together.
///
/// | part | default |
/// | --- | --- |
/// | providers | none; one is needed |
/// | tools | none |
/// | memory | [`NoMemory`] |
/// | policy | [`RulePolicy::default`]: every tool, no working directory, 60 s each |
/// | hooks | none |
/// | preflight | [`FallbackPreflight`] |
/// | job handlers | none |
/// | events | a channel of its own |
/// | config | [`AgentConfig::default`] |
#[derive(Default)]
pub struct AgentBuilder {
    providers: Providers,
    tools: Option<Arc<dyn ToolDispatcher>>,
    memory: Option<Arc<dyn Memory>>,
    policy: Option<Arc<dyn Policy>>,
    hooks: Hooks,
    prepare: Option<Box<Prepare>>,
    preflight: Option<Arc<dyn Preflight>>,
    jobs: BTreeMap<String, Arc<dyn JobHandler>>,
    events: EventSender,
    config: AgentConfig,
}

/// An agent that cannot be put together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// Something is wrong with its providers.
    #[error(transparent)]
    Providers(#[from] ProvidersError),
    /// Something is wrong with its tools.
    #[error(transparent)]
    Tools(#[from] CatalogError),
}

impl AgentBuilder {
    /// Adds a provider behind those that are there already. The first is called first; the others
    /// are what hooks can switch to.
    pub fn provider(mut self, name: impl Into<String>, provider: Arc<dyn Provider>) -> Self {
        self.providers.push(name, provider);
        self
    }

    /// These providers in place of those added so far.
    pub fn providers(mut self, providers: Providers) -> Self {
        self.providers = providers;
        self
    }

    /// The tools.
    pub fn tools(mut self, tools: Arc<dyn ToolDispatcher>) -> Self {
        self.tools = Some(tools);
        self
    }

    /// The memory.
    pub fn memory(mut self, memory: Arc<dyn Memory>) -> Self {
        self.memory = Some(memory);
        self
    }

    /// The policy.
    pub fn policy(mut self, policy: Arc<dyn Policy>) -> Self {
        self.policy = Some(policy);
        self
    }

    /// The hooks that were loaded.
    pub fn hooks(mut self, hooks: Hooks) -> Self {
        self.hooks = hooks;
        self
    }

    /// Adds hooks that are no components: `prepare` is given every new session's hooks.
    pub fn prepare(
        mut self,
        prepare: impl Fn(&mut portcullis::Session) + Send + Sync + 'static,
    ) -> Self {
        self.prepare = Some(Box::new(prepare));
        self
    }

    /// Who plans what a turn recalls.
    pub fn preflight(mut self, preflight: Arc<dyn Preflight>) -> Self {
        self.preflight = Some(preflight);
        self
    }

    /// Who does the jobs of this name that hooks leave behind, in place of any other.
    pub fn job(mut self, name: impl Into<String>, handler: Arc<dyn JobHandler>) -> Self {
        self.jobs.insert(name.into(), handler);
        self
    }

    /// Where events go. Subscribe to it, or to [`AgentContext::events`].
    pub fn events(mut self, events: EventSender) -> Self {
        self.events = events;
        self
    }

    /// How the agent behaves.
    pub fn config(mut self, config: AgentConfig) -> Self {
        self.config = config;
        self
    }

    /// The agent.
    ///
    /// # Errors
    ///
    /// No provider, two of one name, two tools of one name, or a tool whose schema is none.
    pub fn build(self) -> Result<Agent, BuildError> {
        self.providers.check()?;
        let (provider, first) = self.providers.first().ok_or(ProvidersError::None)?;
        let (provider, model) = (
            provider.to_owned(),
            self.config
                .model
                .clone()
                .unwrap_or_else(|| first.default_model().to_owned()),
        );
        let tools = self.tools.unwrap_or_else(|| Arc::new(Toolbox::new()));
        let catalog = Arc::new(ToolCatalog::new(tools.specs())?);
        let context = AgentContext {
            providers: self.providers,
            tools,
            memory: self.memory.unwrap_or_else(|| Arc::new(NoMemory)),
            policy: self
                .policy
                .unwrap_or_else(|| Arc::new(RulePolicy::default())),
            hooks: self.hooks,
            events: self.events,
            config: self.config,
        };
        let shared = Shared {
            asides: Asides::new(context.events.clone(), Jobs::new(self.jobs)),
            preflight: self
                .preflight
                .unwrap_or_else(|| Arc::new(FallbackPreflight::default())),
            context,
            catalog,
            prepare: self.prepare,
            provider,
            model,
        };
        Ok(Agent {
            shared: Arc::new(shared),
        })
    }
}

impl fmt::Debug for AgentBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AgentBuilder")
            .field("providers", &self.providers)
            .field("hooks", &self.hooks)
            .field("config", &self.config)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::ScriptedProvider;

    fn provider() -> Arc<dyn Provider> {
        Arc::new(ScriptedProvider::new("p", "m", Vec::new()))
    }

    #[test]
    fn mistakes_are_found_at_once() {
        let none = Agent::builder().build().unwrap_err();
        assert_eq!(none, BuildError::Providers(ProvidersError::None));
        let twice = Agent::builder()
            .provider("a", provider())
            .provider("b", provider())
            .provider("a", provider())
            .build()
            .unwrap_err();
        assert_eq!(
            twice,
            BuildError::Providers(ProvidersError::Twice("a".into()))
        );
    }

    #[test]
    fn the_first_provider_is_called_first() {
        let config = AgentConfig {
            model: Some("other".into()),
            ..AgentConfig::default()
        };
        let agent = Agent::builder()
            .provider("a", provider())
            .provider("b", provider())
            .config(config)
            .build()
            .unwrap();
        assert_eq!(
            (agent.shared.provider.as_str(), agent.shared.model.as_str()),
            ("a", "other")
        );
    }
}
