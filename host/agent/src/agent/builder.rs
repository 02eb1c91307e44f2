//! Building an agent.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use portcullis::contract::ToolSpec;
use portcullis::hooks::LoadErrors;
use portcullis::tools::{CatalogError, ToolCatalog};
use portcullis::{Hooks, NativeHook};

use super::{Agent, reloads, workspaces};
use crate::config::AgentConfig;
use crate::events::{EventSender, Tracer};
use crate::guards::Guards;
use crate::jobs::{JobHandler, JobStore, Jobs};
use crate::journal::RunRecorder;
use crate::memory::{Memory, NoMemory};
use crate::policy::{Policy, RulePolicy};
use crate::prompt::{FallbackPreflight, Preflight};
use crate::provider::{Provider, Providers, ProvidersError};
use crate::session::subagent_spec;
use crate::shared::{AgentContext, Prepare, Shared, Subagent};
use crate::tool::{ToolDispatcher, Toolbox};
use crate::workspace::Workspaces;

/// Builds an agent.
///
/// | part | default |
/// | --- | --- |
/// | providers | none; one is required |
/// | tools | none |
/// | memory | [`NoMemory`] |
/// | policy | [`RulePolicy::default`]: all tools, no working directory, 60 s each |
/// | hooks | none |
/// | sub-agents, client tools, finish tools, journal, tracer | none |
/// | preflight | [`FallbackPreflight`] |
/// | job handlers, store of jobs | none |
/// | events | a new channel |
/// | config | [`AgentConfig::default`] |
#[derive(Default)]
pub struct AgentBuilder {
    providers: Providers,
    tools: Option<Arc<dyn ToolDispatcher>>,
    memory: Option<Arc<dyn Memory>>,
    policy: Option<Arc<dyn Policy>>,
    hooks: Hooks,
    native: Vec<NativeHook>,
    prepare: Option<Box<Prepare>>,
    subagents: Vec<(String, String, Agent)>,
    client_tools: Vec<ToolSpec>,
    finish_tools: BTreeSet<String>,
    journal: Option<Arc<dyn RunRecorder>>,
    preflight: Option<Arc<dyn Preflight>>,
    jobs: BTreeMap<String, Arc<dyn JobHandler>>,
    job_store: Option<Arc<dyn JobStore>>,
    workspaces: Option<Workspaces>,
    events: EventSender,
    tracer: Option<Arc<dyn Tracer>>,
    config: AgentConfig,
}

/// The reason that an agent cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// Its providers are wrong.
    #[error(transparent)]
    Providers(#[from] ProvidersError),
    /// Its tools are wrong.
    #[error(transparent)]
    Tools(#[from] CatalogError),
    /// A finish tool does not exist.
    #[error(
        "there is no tool called `{tool}`, which is set as a finish tool; add the tool, or remove `finish_tool`"
    )]
    FinishTool {
        /// The tool.
        tool: String,
    },
    /// Its native hooks are wrong.
    #[error(transparent)]
    Hooks(#[from] LoadErrors),
}

impl AgentBuilder {
    /// Adds a provider. The first one is called first; hooks can switch to the others.
    pub fn provider(mut self, name: impl Into<String>, provider: Arc<dyn Provider>) -> Self {
        self.providers.push(name, provider);
        self
    }

    /// Replaces the providers added so far.
    pub fn providers(mut self, providers: Providers) -> Self {
        self.providers = providers;
        self
    }

    /// Sets the tools.
    pub fn tools(mut self, tools: Arc<dyn ToolDispatcher>) -> Self {
        self.tools = Some(tools);
        self
    }

    /// Sets the memory.
    pub fn memory(mut self, memory: Arc<dyn Memory>) -> Self {
        self.memory = Some(memory);
        self
    }

    /// Sets the policy.
    pub fn policy(mut self, policy: Arc<dyn Policy>) -> Self {
        self.policy = Some(policy);
        self
    }

    /// Sets the loaded hooks.
    pub fn hooks(mut self, hooks: Hooks) -> Self {
        self.hooks = hooks;
        self
    }

    /// Adds native hooks. They run in the same chains as the loaded ones, in the same order.
    pub fn native(mut self, hooks: impl IntoIterator<Item = NativeHook>) -> Self {
        self.native.extend(hooks);
        self
    }

    /// Adds a sub-agent. The model calls it as a tool with this name, with a task in words. The
    /// sub-agent has its own session, tools and policy. At each of its points this agent's hooks
    /// run first. Its events are sent to this agent's subscribers, and its hook runs to its own
    /// journal, or else to this agent's.
    pub fn subagent(
        mut self,
        name: impl Into<String>,
        description: impl Into<String>,
        agent: Agent,
    ) -> Self {
        self.subagents
            .push((name.into(), description.into(), agent));
        self
    }

    /// Adds a tool that the client runs: the turn is suspended until
    /// [`Agent::resume`](crate::Agent::resume) receives the tool's result. In a session without a
    /// store for checkpoints the call fails.
    pub fn client_tool(mut self, spec: ToolSpec) -> Self {
        self.client_tools.push(spec);
        self
    }

    /// Makes a tool's result the turn's output, unless the tool fails. The model is not called
    /// again.
    pub fn finish_tool(mut self, name: impl Into<String>) -> Self {
        self.finish_tools.insert(name.into());
        self
    }

    /// Sets the journal of hook runs, including the runs of sub-agents without a journal. Default:
    /// none.
    pub fn journal(mut self, journal: impl RunRecorder + 'static) -> Self {
        self.journal = Some(Arc::new(journal));
        self
    }

    /// Sets the recorder of hook runs, like [`AgentBuilder::journal`], from a shared pointer.
    pub fn recorder(mut self, recorder: Arc<dyn RunRecorder>) -> Self {
        self.journal = Some(recorder);
        self
    }

    /// Sets the workspaces of the sessions. The `workspace-*` hooks run in a separate session
    /// called `workspaces`.
    pub fn workspaces(mut self, workspaces: Workspaces) -> Self {
        self.workspaces = Some(workspaces);
        self
    }

    /// Adds hooks that belong to one session: `prepare` is called for every new session, including
    /// resumed sessions and sub-agents' sessions, after the functions set before. For hooks that
    /// all sessions share, use [`AgentBuilder::native`].
    pub fn prepare(
        mut self,
        prepare: impl Fn(&mut portcullis::Session) + Send + Sync + 'static,
    ) -> Self {
        self.prepare = Some(match self.prepare.take() {
            Some(before) => Box::new(move |session| {
                before(session);
                prepare(session);
            }),
            None => Box::new(prepare),
        });
        self
    }

    /// Sets the planner of a turn's recall.
    pub fn preflight(mut self, preflight: Arc<dyn Preflight>) -> Self {
        self.preflight = Some(preflight);
        self
    }

    /// Sets the handler of the jobs with this name. Replaces an earlier handler.
    pub fn job(mut self, name: impl Into<String>, handler: Arc<dyn JobHandler>) -> Self {
        self.jobs.insert(name.into(), handler);
        self
    }

    /// Sets the store that keeps jobs until they have ended. Call [`Agent::resume_jobs`] to resume
    /// the unfinished jobs of processes that ended. Default: none; such jobs are lost.
    pub fn job_store(mut self, store: Arc<dyn JobStore>) -> Self {
        self.job_store = Some(store);
        self
    }

    /// Sets the channel of the agent's events. Subscribe to it, or to [`AgentContext::events`].
    pub fn events(mut self, events: EventSender) -> Self {
        self.events = events;
        self
    }

    /// Sets the tracer, which records the sessions of the agent and its sub-agents as spans.
    /// Default: none.
    pub fn tracer(mut self, tracer: Arc<dyn Tracer>) -> Self {
        self.tracer = Some(tracer);
        self
    }

    /// Sets the configuration.
    pub fn config(mut self, config: AgentConfig) -> Self {
        self.config = config;
        self
    }

    /// Builds the agent.
    ///
    /// # Errors
    ///
    /// There is no provider, two providers or two tools have one name (sub-agents and client tools
    /// are tools too), a tool's schema is not a JSON schema, a finish tool does not exist, or the
    /// ids or the order of native hooks conflict.
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
        let of_subagents = self.subagents.iter();
        let of_subagents =
            of_subagents.map(|(name, description, _)| subagent_spec(name, description));
        let client_tools = self.client_tools.iter();
        let client_tools: BTreeSet<String> = client_tools.map(|spec| spec.name.clone()).collect();
        let specs = tools.specs().into_iter().chain(self.client_tools);
        let catalog = Arc::new(ToolCatalog::new(specs.chain(of_subagents))?);
        if let Some(tool) = self
            .finish_tools
            .iter()
            .find(|name| catalog.get(name).is_none())
        {
            return Err(BuildError::FinishTool { tool: tool.clone() });
        }
        let guards = self.config.guards.iter().flat_map(Guards::hooks);
        let hooks = self.hooks.with(guards.chain(self.native))?;
        let context = AgentContext {
            providers: self.providers,
            tools,
            memory: self.memory.unwrap_or_else(|| Arc::new(NoMemory)),
            policy: self
                .policy
                .unwrap_or_else(|| Arc::new(RulePolicy::default())),
            hooks,
            events: match self.tracer {
                Some(tracer) => self.events.traced(tracer),
                None => self.events,
            },
            config: self.config,
        };
        let subagents: BTreeMap<String, Arc<dyn Subagent>> = self
            .subagents
            .into_iter()
            .map(|(name, _, agent)| (name, Arc::new(agent) as Arc<dyn Subagent>))
            .collect();
        let reloads = reloads::report(&context.hooks, subagents.values().cloned(), &context.events);
        let shared = Shared {
            _reloads: reloads,
            jobs: Arc::new(Jobs::new(self.jobs, self.job_store)),
            preflight: self
                .preflight
                .unwrap_or_else(|| Arc::new(FallbackPreflight::default())),
            context,
            catalog,
            prepare: self.prepare,
            subagents,
            client_tools,
            finish_tools: self.finish_tools,
            workspaces: self.workspaces,
            journal: self.journal,
            endings: Default::default(),
            provider,
            model,
        };
        workspaces::observe(&shared);
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
    fn build_reports_wrong_providers() {
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
