//! The agent and its sub-agents, from the file and its started parts.

use std::path::PathBuf;
use std::sync::Arc;

use portcullis_agent::{
    Agent, AgentBuilder, AgentConfig, FinishTool, Policy, Providers, RulePolicy, Tool,
    ToolDispatcher as _, Toolbox,
};

use super::{StartError, config};
use crate::file::AgentFile;
use crate::hooks::LoadedHooks;
use crate::subagents::Subagent;

/// The parts that the agent and its sub-agents share.
pub(super) struct Parts<'a> {
    pub(super) file: &'a AgentFile,
    pub(super) providers: Providers,
    pub(super) tools: Vec<Arc<dyn Tool>>,
    pub(super) working_dir: PathBuf,
}

impl Parts<'_> {
    /// Creates the agent, without its stores. Returns it with the names of its tools.
    pub(super) fn main(
        &self,
        system: Option<String>,
        hooks: &LoadedHooks,
    ) -> Result<(AgentBuilder, Vec<String>), StartError> {
        let file = self.file;
        let policy = file.policy.rules(self.all_names(), &self.working_dir);
        let mut toolbox = Toolbox::new();
        toolbox.extend(self.allowed(&policy))?;
        if let Some(finish) = file.finish.iter().find(|tool| allows(&policy, &tool.name)) {
            toolbox.add(Arc::new(FinishTool::new(finish.spec())))?;
        }
        self.set_replay(&mut toolbox);
        let mut names: Vec<String> = toolbox.specs().into_iter().map(|spec| spec.name).collect();
        let config = config::main(file, system);
        let (toolbox, shared_policy) = (Arc::new(toolbox), Arc::new(policy.clone()));
        let mut builder = Agent::builder()
            .providers(self.providers.clone())
            .tools(toolbox.clone())
            .policy(shared_policy.clone())
            .hooks(hooks.hooks.clone())
            .config(config.clone());
        if let Some(finish) = file.finish.iter().find(|tool| allows(&policy, &tool.name)) {
            builder = builder.finish_tool(&finish.name);
        }
        for (name, tool) in &file.client_tools {
            if allows(&policy, name) {
                builder = builder.client_tool(tool.spec(name));
                names.push(name.clone());
            }
        }
        for (name, job) in &file.jobs {
            let dir = self.working_dir.clone();
            let handler = job.handler(file, dir, toolbox.clone(), shared_policy.clone())?;
            if let Some(handler) = handler {
                builder = builder.job(name, handler);
            }
        }
        let own = file
            .subagents
            .iter()
            .filter(|(name, _)| allows(&policy, name));
        for (name, subagent) in own {
            let hooks = hooks.subagents.get(name);
            let agent = self.subagent(&config, vec![policy.clone()], name, subagent, hooks)?;
            builder = builder.subagent(name, &subagent.description, agent);
            names.push(name.clone());
        }
        Ok((builder, names))
    }

    /// Creates a sub-agent. `above` are the rules of the agents above it, which have all of its
    /// tools.
    fn subagent(
        &self,
        parent: &AgentConfig,
        above: Vec<RulePolicy>,
        name: &str,
        subagent: &Subagent,
        hooks: Option<&LoadedHooks>,
    ) -> Result<Agent, StartError> {
        let policy = self
            .file
            .policy
            .of_subagent(subagent, above, &self.working_dir);
        let mut toolbox = Toolbox::new();
        toolbox.extend(self.allowed(&policy))?;
        self.set_replay(&mut toolbox);
        let config = config::subagent(self.file, parent, name, subagent);
        let mut builder = Agent::builder()
            .providers(self.providers_from(subagent.provider.as_deref()))
            .tools(Arc::new(toolbox))
            .policy(Arc::new(policy.clone()))
            .config(config.clone());
        if let Some(hooks) = hooks {
            builder = builder.hooks(hooks.hooks.clone());
        }
        for (name, below) in &subagent.subagents {
            if allows(&policy, name) {
                let hooks = hooks.and_then(|hooks| hooks.subagents.get(name));
                let agent = self.subagent(&config, policy.rules(), name, below, hooks)?;
                builder = builder.subagent(name, &below.description, agent);
            }
        }
        Ok(builder.build()?)
    }

    /// Sets the file's replay settings, for tools that were running when their process ended.
    fn set_replay(&self, toolbox: &mut Toolbox) {
        for (name, replay) in &self.file.tools.replay {
            toolbox.set_replay(name, *replay);
        }
    }

    /// Returns the tools that a policy allows. Offering the model a tool that is always denied
    /// wastes steps.
    fn allowed(&self, policy: &impl Policy) -> impl Iterator<Item = Arc<dyn Tool>> {
        let tools = self.tools.iter();
        tools
            .filter(|tool| allows(policy, &tool.spec().name))
            .cloned()
    }

    /// Returns the names of all tools and sub-agents that the file gives the agent.
    fn all_names(&self) -> Vec<String> {
        let file = self.file;
        let tools = self.tools.iter().map(|tool| tool.spec().name);
        let named = file
            .client_tools
            .keys()
            .chain(file.subagents.keys())
            .cloned();
        let finish = file.finish.iter().map(|finish| finish.name.clone());
        tools.chain(named).chain(finish).collect()
    }

    /// Returns the providers, with this one first.
    fn providers_from(&self, first: Option<&str>) -> Providers {
        let mut providers = Providers::new();
        let rest = self.providers.names().filter(|name| Some(*name) != first);
        for name in first.into_iter().chain(rest) {
            if let Some(provider) = self.providers.get(name) {
                providers.push(name, provider.clone());
            }
        }
        providers
    }
}

fn allows(policy: &impl Policy, tool: &str) -> bool {
    policy.offers(tool, false)
}
