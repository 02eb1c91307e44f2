//! Starting the agent: the only place that creates an [`Agent`] from a file.

mod config;
mod error;
mod parts;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use portcullis::Hooks;
use portcullis::settings::SettingsError;
use portcullis::trace::TraceContext;
use portcullis_agent::{
    Agent, CheckpointId, CheckpointStore as _, EventSender, McpServer, NewSession, RunRecorder,
};
use portcullis_store::{Deleted, RecordingOptions, Store, StoreError};
use portcullis_telemetry::Telemetry;

pub use self::error::StartError;
use self::parts::Parts;
use crate::file::AgentFile;
use crate::hooks::LoadedHooks;
use crate::providers::providers;
use crate::tool_names::ToolNames;

/// The time limit for sending the last spans to a collector.
const FLUSH: Duration = Duration::from_secs(5);

/// The inputs from a front end for starting an agent.
#[non_exhaustive]
pub struct StartOptions<'a> {
    /// The hooks, from [`AgentFile::load_hooks`].
    pub hooks: LoadedHooks,
    /// The store, if it is already open. Default: the store that the file names.
    pub store: Option<Store>,
    /// The session to continue, which the retention of `[stores]` does not delete. Default: none.
    pub continues: Continues,
    /// The channel of the agent's events. Default: a new one.
    pub events: EventSender,
    /// Called with the name of an MCP server before it is started.
    pub starting: &'a (dyn Fn(&str) + Sync),
}

impl StartOptions<'_> {
    /// Creates options with these hooks and the defaults.
    pub fn new(hooks: LoadedHooks) -> Self {
        Self {
            hooks,
            store: None,
            continues: Continues::Nothing,
            events: EventSender::new(),
            starting: &|_| {},
        }
    }
}

/// The session that a start continues.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Continues {
    /// None.
    Nothing,
    /// The session of this id, if there is one.
    Session(String),
    /// The session of the agent and the file's user in its working directory that was last used.
    Latest,
    /// The session of this suspended turn.
    Turn(CheckpointId),
}

/// A started agent and its resources.
pub struct Running {
    /// The agent.
    pub agent: Agent,
    /// The names of the agent's tools.
    pub tools: Vec<String>,
    /// The settings that have no effect: patterns that match no tool, and alerts on hooks that do
    /// not exist.
    pub warnings: Vec<SettingsError>,
    /// The data deleted by the retention of `[stores]`.
    pub pruned: Deleted,
    /// The id of the session that is continued; `None` if there is none, or no store.
    pub continued: Option<String>,
    new_session: NewSession,
    servers: Vec<McpServer>,
    telemetry: Option<Telemetry>,
}

impl AgentFile {
    /// Starts the agent: opens its store, starts its MCP servers, evicts workspaces that were not
    /// used for a while, and resumes the unfinished jobs of processes that ended. Close it with
    /// [`Running::close`].
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
        let of_servers: Vec<_> = servers.iter().flat_map(McpServer::tools).collect();
        let names: Vec<String> = of_servers.iter().map(|tool| tool.spec().name).collect();
        let ToolNames {
            faults,
            mut warnings,
            ..
        } = self.tool_names(Some(&names));
        if !faults.is_empty() {
            return Err(StartError::Faults(faults));
        }
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
        let store = self.stores.open(options.store).await?;
        if self.durable && store.is_none() {
            return Err(StartError::NotDurable);
        }
        let (mut continued, mut pruned) = (None, Deleted::default());
        if let Some(store) = &store {
            let dir = parts.working_dir.display().to_string();
            continued = self.continued(store, options.continues, &dir).await?;
            pruned = self.stores.prune(store, continued.as_deref()).await?;
        }
        let workspaces = self
            .workspaces
            .as_ref()
            .and_then(|table| table.workspaces());
        let (builder, tools) = parts.main(system, &options.hooks)?;
        let loaded: Vec<Hooks> = options.hooks.all().into_iter().cloned().collect();
        let dir = Some(parts.working_dir.clone());
        let alerts = self.start_alerts(move || loaded.clone(), options.events.clone(), dir)?;
        warnings.extend(self.alert_warnings(options.hooks.all()));
        let mut builder = builder.events(options.events);
        let telemetry = Telemetry::start_if_on(self.telemetry.as_ref()).await?;
        if let Some(telemetry) = &telemetry {
            for hooks in options.hooks.all() {
                telemetry.metrics().watch(hooks);
            }
            builder = builder.tracer(telemetry.tracer());
        }
        let mut recorder = None;
        if let Some(store) = store.as_ref().filter(|_| self.stores.journal) {
            let journal = store.journal()?;
            let mut journal = journal.keeping_values(self.stores.journal_values);
            if self.stores.record {
                let options = RecordingOptions::of(&self.stores.recording)
                    .map_err(|(key, error)| StartError::Recording(key, error))?;
                journal = journal.recording(store.recorder(options)?);
            }
            recorder = Some(Arc::new(journal) as Arc<dyn RunRecorder>);
        }
        if let Some(alerts) = alerts {
            recorder = Some(alerts.recorder(recorder));
        }
        if let Some(recorder) = recorder {
            builder = builder.recorder(recorder);
        }
        if let Some(store) = &store {
            let dir = parts.working_dir.display().to_string();
            builder = builder.job_store(Arc::new(store.jobs().of(&self.name, &dir)));
        }
        if let Some(memory) = &self.memory {
            let store = store.as_ref().ok_or(StartError::NoStore)?;
            let dir = parts.working_dir.display().to_string();
            builder = builder.memory(Arc::new(memory.of(store, &dir)));
        }
        if let Some(workspaces) = &workspaces {
            builder = builder.workspaces(workspaces.clone());
        }
        let agent = builder.build()?;
        let evicts = self.workspaces.as_ref().is_some_and(|table| table.evicts());
        if let Some(workspaces) = workspaces.as_ref().filter(|_| evicts) {
            // After the agent is built, so that its hooks see the evictions.
            for (name, error) in workspaces.evict_closed().await?.failed {
                tracing::warn!("the workspace {name} was not evicted: {error}");
            }
        }
        agent.resume_jobs().await?;
        let new_session = self.new_session(parts.working_dir, store.as_ref());
        Ok(Running {
            new_session,
            agent,
            tools,
            warnings,
            pruned,
            continued,
            servers,
            telemetry,
        })
    }

    async fn continued(
        &self,
        store: &Store,
        continues: Continues,
        dir: &str,
    ) -> Result<Option<String>, StoreError> {
        Ok(match continues {
            Continues::Nothing => None,
            Continues::Session(id) => Some(id),
            Continues::Latest => {
                let sessions = store.sessions();
                sessions
                    .latest(&self.name, dir, self.user.as_deref())
                    .await?
            }
            // An unreadable checkpoint fails when it is resumed.
            Continues::Turn(id) => store.checkpoints().get(&id).await.ok().map(|t| t.session),
        })
    }

    fn new_session(&self, dir: PathBuf, store: Option<&Store>) -> NewSession {
        let workspace = self.workspaces.as_ref().map(|table| table.session());
        NewSession {
            user: self.user.clone(),
            working_dir: Some(dir),
            checkpoints: store.map(|store| Arc::new(store.checkpoints()) as _),
            answer_within: self.answer_within_s.map(|s| Duration::from_secs(s.get())),
            sessions: store.map(|store| Arc::new(store.sessions()) as _),
            turns: store
                .filter(|_| self.durable)
                .map(|store| Arc::new(store.turns()) as _),
            workspace,
            trace: TraceContext::of_environment(),
            ..NewSession::default()
        }
    }
}

impl Running {
    /// Returns the options of a new session with the file's user, working directory, workspace and
    /// store. The front end adds its approver.
    pub fn new_session(&self) -> NewSession {
        NewSession {
            id: NewSession::default().id,
            ..self.new_session.clone()
        }
    }

    /// Returns the telemetry, if it is enabled.
    pub fn telemetry(&self) -> Option<&Telemetry> {
        self.telemetry.as_ref()
    }

    /// Waits for background runs, but not longer than `within`, then stops the MCP servers and
    /// sends the pending telemetry.
    /// Returns the number of background runs that did not end; they are lost.
    pub async fn close(self, within: Duration) -> usize {
        let left = self.agent.drain(within).await;
        for server in self.servers {
            server.close().await;
        }
        if let Some(telemetry) = self.telemetry {
            telemetry.end(FLUSH).await;
        }
        left
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
