//! Starting the agent: the one place that makes an [`Agent`] from a file.

mod config;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use portcullis::settings::SettingsError;
use portcullis_agent::{
    Agent, AgentBuilder, BuildError, CheckpointError, EventSender, Journal, JournalError, McpError,
    McpServer, MemoryError, NewSession, Providers, RulePolicy, SqliteCheckpoints, Tool,
    ToolDispatcher as _, Toolbox, ToolboxError, WorkspaceError, Workspaces,
};

use crate::file::AgentFile;
use crate::hooks::LoadedHooks;
use crate::providers::providers;
use crate::subagents::Subagent;

/// What a front end gives to the start.
#[non_exhaustive]
pub struct StartOptions<'a> {
    /// The hooks, from [`AgentFile::load_hooks`].
    pub hooks: LoadedHooks,
    /// The journal if the file names none. Default: none.
    pub journal: Option<Journal>,
    /// The channel of the agent's events. Default: a new one.
    pub events: EventSender,
    /// Called with the name of an MCP server before it is started.
    pub starting: &'a (dyn Fn(&str) + Sync),
}

impl StartOptions<'_> {
    /// These hooks, and the defaults.
    pub fn new(hooks: LoadedHooks) -> Self {
        Self {
            hooks,
            journal: None,
            events: EventSender::new(),
            starting: &|_| {},
        }
    }
}

/// A started agent, and what belongs to it.
pub struct Running {
    /// The agent.
    pub agent: Agent,
    /// The names of the tools that it has.
    pub tools: Vec<String>,
    new_session: NewSession,
    workspaces: Option<Workspaces>,
    servers: Vec<McpServer>,
}

/// Why an agent does not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The file has faults: all of them.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Faults(Vec<SettingsError>),
    /// A provider cannot be used.
    #[error("{0}")]
    Provider(String),
    /// An MCP server does not start.
    #[error(transparent)]
    Mcp(#[from] McpError),
    /// Two tools have one name.
    #[error(transparent)]
    Tools(#[from] ToolboxError),
    /// The memory cannot be opened.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The journal cannot be opened.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The store of suspended turns cannot be opened.
    #[error(transparent)]
    Checkpoints(#[from] CheckpointError),
    /// A workspace cannot be evicted.
    #[error(transparent)]
    Workspaces(#[from] WorkspaceError),
    /// A file cannot be read.
    #[error("{}: {cause}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: std::io::Error,
    },
    /// The agent cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
}

impl From<portcullis::CatalogError> for StartError {
    fn from(error: portcullis::CatalogError) -> Self {
        Self::Build(error.into())
    }
}

/// What the agent and its sub-agents share.
struct Parts<'a> {
    file: &'a AgentFile,
    providers: Providers,
    tools: Vec<Arc<dyn Tool>>,
    working_dir: PathBuf,
}

impl AgentFile {
    /// Starts the agent: opens its stores, starts its MCP servers, and evicts workspaces that were not
    /// used for a while. Close it with [`Running::close`].
    ///
    /// # Errors
    ///
    /// The file has faults, a server does not start, or a store cannot be opened.
    pub async fn start(&self, options: StartOptions<'_>) -> Result<Running, StartError> {
        let faults = self.faults();
        if !faults.is_empty() {
            return Err(StartError::Faults(faults));
        }
        let io = |path: &PathBuf| {
            let path = path.clone();
            move |cause| StartError::File { path, cause }
        };
        let working_dir = (self.working_dir.canonicalize()).map_err(io(&self.working_dir))?;
        let system = match &self.system_prompt_file {
            Some(path) => Some(std::fs::read_to_string(path).map_err(io(path))?),
            None => self.system_prompt.clone(),
        };
        let mut servers = Vec::new();
        for (name, mcp) in &self.mcp {
            (options.starting)(name);
            servers.push(mcp.connect(name).await?);
        }
        let of_servers = servers.iter().flat_map(McpServer::tools);
        let parts = Parts {
            file: self,
            providers: providers(&self.providers).map_err(StartError::Provider)?,
            tools: self
                .built_in_tools()
                .into_iter()
                .chain(of_servers)
                .collect(),
            working_dir,
        };
        let journal = self.stores.journal(options.journal)?;
        let checkpoints = self.stores.checkpoints()?;
        let workspaces = self
            .workspaces
            .as_ref()
            .and_then(|table| table.workspaces());
        let (builder, tools) = parts.main(system, &options.hooks)?;
        let mut builder = builder.events(options.events);
        if let Some(journal) = journal {
            builder = builder.journal(journal);
        }
        if let Some(memory) = &self.memory
            && let Some(memory) = memory.open().await?
        {
            builder = builder.memory(Arc::new(memory));
        }
        if let Some(workspaces) = &workspaces {
            builder = builder.workspaces(workspaces.clone());
        }
        let agent = builder.build()?;
        let evicts = self.workspaces.as_ref().is_some_and(|table| table.evicts());
        if let Some(workspaces) = workspaces.as_ref().filter(|_| evicts) {
            // Only now, so that the agent's hooks see it.
            for (name, error) in workspaces.evict_closed().await?.failed {
                tracing::warn!("the workspace {name} was not evicted: {error}");
            }
        }
        Ok(Running {
            agent,
            tools,
            new_session: self.new_session(parts.working_dir, checkpoints),
            workspaces,
            servers,
        })
    }

    fn new_session(&self, dir: PathBuf, checkpoints: Option<SqliteCheckpoints>) -> NewSession {
        let workspace = self.workspaces.as_ref().map(|table| table.session());
        NewSession {
            user: self.user.clone(),
            working_dir: Some(dir),
            checkpoints: checkpoints.map(|store| Arc::new(store) as _),
            workspace,
            ..NewSession::default()
        }
    }
}

impl Parts<'_> {
    /// The agent, without its stores, and the names of its tools.
    fn main(
        &self,
        system: Option<String>,
        hooks: &LoadedHooks,
    ) -> Result<(AgentBuilder, Vec<String>), StartError> {
        let file = self.file;
        let policy = file.policy.rules(self.all_names(), &self.working_dir);
        let mut toolbox = Toolbox::new();
        toolbox.extend(self.allowed(&policy))?;
        if let Some(finish) = file.finish.iter().find(|tool| allows(&policy, &tool.name)) {
            toolbox.add(Arc::new(portcullis_agent::FinishTool::new(finish.spec())))?;
        }
        let mut names: Vec<String> = toolbox.specs().into_iter().map(|spec| spec.name).collect();
        let (toolbox, shared_policy) = (Arc::new(toolbox), Arc::new(policy.clone()));
        let mut builder = Agent::builder()
            .providers(self.providers.clone())
            .tools(toolbox.clone())
            .policy(shared_policy.clone())
            .hooks(hooks.hooks.clone())
            .config(config::main(file, system));
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
            let agent = self.subagent(name, subagent, hooks)?;
            builder = builder.subagent(name, &subagent.description, agent);
            names.push(name.clone());
        }
        Ok((builder, names))
    }

    /// A sub-agent. Its tools are some of the agent's.
    fn subagent(
        &self,
        name: &str,
        subagent: &Subagent,
        hooks: Option<&LoadedHooks>,
    ) -> Result<Agent, StartError> {
        let below = subagent.subagents.keys().cloned();
        let names = subagent.tools.iter().cloned().chain(below).collect();
        let policy = self.file.policy.sub_rules(names, &self.working_dir);
        let main = self.file.policy.rules(self.all_names(), &self.working_dir);
        let mut toolbox = Toolbox::new();
        let tools = self.allowed(&main);
        toolbox.extend(tools.filter(|tool| allows(&policy, &tool.spec().name)))?;
        let mut builder = Agent::builder()
            .providers(self.providers_from(subagent.provider.as_deref()))
            .tools(Arc::new(toolbox))
            .policy(Arc::new(policy.clone()))
            .config(config::subagent(self.file, name, subagent));
        if let Some(hooks) = hooks {
            builder = builder.hooks(hooks.hooks.clone());
        }
        for (name, below) in &subagent.subagents {
            if allows(&policy, name) {
                let hooks = hooks.and_then(|hooks| hooks.subagents.get(name));
                let agent = self.subagent(name, below, hooks)?;
                builder = builder.subagent(name, &below.description, agent);
            }
        }
        Ok(builder.build()?)
    }

    /// The tools that a policy allows. A model that is offered a tool which is always denied wastes
    /// steps.
    fn allowed(&self, policy: &RulePolicy) -> impl Iterator<Item = Arc<dyn Tool>> {
        let tools = self.tools.iter();
        tools
            .filter(|tool| allows(policy, &tool.spec().name))
            .cloned()
    }

    /// The names of all that the file gives the agent.
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

    /// The providers, with this one first.
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

fn allows(policy: &RulePolicy, tool: &str) -> bool {
    policy.decide(tool).is_ok()
}

impl Running {
    /// A new session as the file says: user, working directory, workspace, and store of suspended turns.
    /// The front end adds its approver.
    pub fn new_session(&self) -> NewSession {
        NewSession {
            id: NewSession::default().id,
            ..self.new_session.clone()
        }
    }

    /// Waits for what runs in the background, but not longer than this, then stops the MCP servers.
    /// Returns how many background runs did not end; they are lost.
    pub async fn close(self, within: Duration) -> usize {
        let left = self.agent.drain(within).await;
        for server in self.servers {
            server.close().await;
        }
        left
    }

    /// The workspaces, if the agent has some.
    pub fn workspaces(&self) -> Option<&Workspaces> {
        self.workspaces.as_ref()
    }
}

impl std::fmt::Debug for Running {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Running")
            .field("agent", &self.agent)
            .field("tools", &self.tools)
            .finish_non_exhaustive()
    }
}
