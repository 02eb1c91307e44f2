//! The whole file: reading it, and its faults.

use std::collections::BTreeMap;
use std::num::{NonZeroU32, NonZeroU64};
use std::path::{Path, PathBuf};

use portcullis::settings::TelemetryTable;
use portcullis::settings::{SettingsError, TomlSource, schema_of};
use portcullis_agent::{AgentConfig, CompactionConfig, RetryConfig};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::alerts::AlertTable;
use crate::approvals::Approvals;
use crate::client_tools::ClientTool;
use crate::finish::Finish;
use crate::guards::Guards;
use crate::hooks::HooksTable;
use crate::jobs::JobTable;
use crate::mcp::Mcp;
use crate::memory::Memory;
use crate::model::Model;
use crate::policy::Policy;
use crate::providers::Provider;
use crate::restate::Restate;
use crate::stores::Stores;
use crate::subagents::Subagent;
use crate::tools::Tools;
use crate::workspaces::WorkspacesTable;

/// The usual name of the file.
pub const FILE_NAME: &str = "agent.toml";

/// The maximum number of bytes of the file.
const LARGEST: u64 = 1 << 20;

/// An agent, as its file says. Paths in the file are relative to its directory. Unknown keys are errors.
///
/// [`AgentFile::default`] is an empty file. It has no provider, and one is required.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
#[schemars(title = "agent.toml")]
pub struct AgentFile {
    /// The agent's name, as hooks see it.
    pub name: String,
    /// The instructions to the model.
    #[schemars(extend("x-if-left-out" = "none"))]
    pub system_prompt: Option<String>,
    /// A file with the instructions to the model, in place of `system-prompt`.
    #[schemars(extend("x-if-left-out" = "none"))]
    pub system_prompt_file: Option<PathBuf>,
    /// The user, for hooks and memory.
    #[schemars(extend("x-if-left-out" = "unknown"))]
    pub user: Option<String>,
    /// The directory that tools work in.
    pub working_dir: PathBuf,
    /// Whether turns are recorded in the store while they run. A turn whose process died is then finished
    /// when its session is opened again, such as by `portcullis run --continue`.
    pub durable: bool,
    /// The approver of hook questions.
    pub approvals: Approvals,
    /// Seconds that the questions and the client tools of a suspended turn wait for their answers. A later answer is
    /// refused. When the turn continues, a question without an answer is denied, and a client tool without a result has
    /// failed. It continues at once on Restate and where a process waits for the answers, and otherwise with
    /// `portcullis resume`, `portcullis run --continue` or `portcullis run --finish`.
    #[schemars(extend("x-if-left-out" = "they wait forever"))]
    pub answer_within_s: Option<NonZeroU64>,
    /// When somebody is alerted that hooks fail, are slow or do not run.
    pub alerts: Vec<AlertTable>,
    /// The most tokens of the sections that hooks contribute to the prompt.
    #[schemars(extend("default" = AgentConfig::default().prompt_budget_tokens))]
    pub prompt_budget_tokens: Option<u64>,
    /// How many times `turn-stopping` hooks may keep one turn going.
    #[schemars(extend("default" = AgentConfig::default().max_keep_going))]
    pub max_keep_going: Option<u32>,
    /// How deep sub-agents may be nested. With 1, a sub-agent may not have its own.
    #[schemars(extend("default" = AgentConfig::default().max_depth))]
    pub max_depth: Option<NonZeroU32>,
    /// Where the model is. The first provider is called first; hooks can switch to the others.
    pub providers: Vec<Provider>,
    /// How the model is called.
    pub model: Model,
    /// Which hooks the agent has.
    pub hooks: HooksTable,
    /// The tools that come with the agent, and how tool calls run.
    pub tools: Tools,
    /// Servers of tools, by name.
    pub mcp: BTreeMap<String, Mcp>,
    /// Which tools may run.
    pub policy: Policy,
    /// Agents that the agent calls as tools, by name.
    pub subagents: BTreeMap<String, Subagent>,
    /// Tools that the client runs, by name.
    pub client_tools: BTreeMap<String, ClientTool>,
    /// A tool whose arguments are the turn's output.
    pub finish: Option<Finish>,
    /// Limits that stop a turn with its output so far.
    pub guards: Guards,
    /// The retries of a failed model call that no hook decides on.
    pub retry: RetryConfig,
    /// When and how the conversation is compacted.
    pub compaction: CompactionConfig,
    /// The handlers of the hooks' background jobs, by job name.
    pub jobs: BTreeMap<String, JobTable>,
    /// The agent's memory across sessions.
    pub memory: Option<Memory>,
    /// Directories that sessions work in.
    pub workspaces: Option<WorkspacesTable>,
    /// The agent's stores.
    pub stores: Stores,
    /// The metrics and traces, and where they are sent.
    pub telemetry: Option<TelemetryTable>,
    /// The server that runs the agent's turns, on many machines. Without it, `portcullis run` runs them itself.
    pub restate: Option<Restate>,
    #[serde(skip)]
    pub(crate) source: TomlSource,
    /// The keys whose values are not from the file, and the sources of their values.
    #[serde(skip)]
    pub(crate) given: Vec<Given>,
}

/// A key whose value is not from the file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Given {
    pub(crate) keys: &'static [&'static str],
    pub(crate) by: &'static str,
}

impl Default for AgentFile {
    fn default() -> Self {
        Self {
            name: "agent".into(),
            system_prompt: None,
            system_prompt_file: None,
            user: None,
            working_dir: ".".into(),
            durable: false,
            approvals: Approvals::default(),
            answer_within_s: None,
            alerts: Vec::new(),
            prompt_budget_tokens: None,
            max_keep_going: None,
            max_depth: None,
            providers: Vec::new(),
            model: Model::default(),
            hooks: HooksTable::default(),
            tools: Tools::default(),
            mcp: BTreeMap::new(),
            policy: Policy::default(),
            subagents: BTreeMap::new(),
            client_tools: BTreeMap::new(),
            finish: None,
            guards: Guards::default(),
            retry: RetryConfig::default(),
            compaction: CompactionConfig::default(),
            jobs: BTreeMap::new(),
            memory: None,
            workspaces: None,
            stores: Stores::default(),
            telemetry: None,
            restate: None,
            source: TomlSource::new(Path::new("the options"), ""),
            given: Vec::new(),
        }
    }
}

/// Returns the JSON schema of the file: every key with its type, description and default. If a
/// default is not a value, `x-if-left-out` describes it.
pub fn schema() -> serde_json::Value {
    schema_of::<AgentFile>()
}

impl AgentFile {
    /// Sets the source of a key's value, such as `the option --hooks`. The key's faults name the
    /// source in place of a line of the file.
    pub fn given_by(&mut self, by: &'static str, keys: &'static [&'static str]) {
        self.given.push(Given { keys, by });
    }

    /// Reads the file.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or its text has faults. All faults of the text are returned, not
    /// only the first. [`AgentFile::faults`] finds the other faults.
    pub fn load(path: &Path) -> Result<Self, Vec<SettingsError>> {
        let text = read(path).map_err(|error| vec![error])?;
        Self::parse(path, &text)
    }

    /// Parses the text of a file. `path` is the file's path in errors. Paths in the text are
    /// relative to its directory.
    ///
    /// # Errors
    ///
    /// Returns all faults of the text, not only the first.
    pub fn parse(path: &Path, text: &str) -> Result<Self, Vec<SettingsError>> {
        match Self::parse_partly(path, text) {
            (Some(file), errors) if errors.is_empty() => Ok(file),
            (_, errors) => Err(errors),
        }
    }

    /// Reads the file and returns all faults of its text. Returns the file if a part of it could be
    /// read: check that part too, but do not run it.
    pub fn load_partly(path: &Path) -> (Option<Self>, Vec<SettingsError>) {
        match read(path) {
            Ok(text) => Self::parse_partly(path, &text),
            Err(error) => (None, vec![error]),
        }
    }

    fn parse_partly(path: &Path, text: &str) -> (Option<Self>, Vec<SettingsError>) {
        let source = TomlSource::new(path, text);
        let (file, errors) = source.read_partly::<Self>();
        let errors = source.capped(errors);
        let file = file.map(|mut file| {
            file.resolve(source.dir());
            file.source = source;
            file
        });
        (file, errors)
    }

    fn resolve(&mut self, dir: &Path) {
        self.working_dir = dir.join(&self.working_dir);
        if let Some(prompt) = &mut self.system_prompt_file {
            *prompt = dir.join(&*prompt);
        }
        self.providers
            .iter_mut()
            .for_each(|table| table.resolve(dir));
        self.mcp.values_mut().for_each(|table| table.resolve(dir));
        self.subagents
            .values_mut()
            .for_each(|table| table.resolve(dir));
        self.jobs.values_mut().for_each(|table| table.resolve(dir));
        self.workspaces
            .iter_mut()
            .for_each(|table| table.resolve(dir));
        self.alerts.iter_mut().for_each(|table| table.resolve(dir));
        self.approvals.resolve(dir);
        self.hooks.resolve(dir);
        self.stores.resolve(dir);
    }
}

fn read(path: &Path) -> Result<String, SettingsError> {
    if path.is_dir() {
        let file = path.join(FILE_NAME);
        let problem = format!(
            "is a directory, and a file is meant; name the file in it: {}",
            file.display()
        );
        return Err(SettingsError::of_file(path, problem));
    }
    portcullis::settings::read_text(path, LARGEST).map_err(|e| {
        let problem = format!(
            "cannot be read: {e}; name a text file that exists, or make one with `portcullis init`"
        );
        SettingsError::of_file(path, problem)
    })
}
