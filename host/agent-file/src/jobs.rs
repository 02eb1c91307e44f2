//! `[jobs.NAME]`: the handlers of the hooks' background jobs.

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use portcullis::tools::CatalogError;
use portcullis_agent::{CommandJob, JobHandler, Policy, ToolDispatcher, ToolJob};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::faults::Faults;
use crate::file::AgentFile;
use crate::line_command::line_command;
use crate::paths::resolve_program;

/// The default time limit of a command, in milliseconds.
const TIMEOUT_MS: u64 = 60_000;

/// The handler of the jobs of this name: a command or a tool.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub struct JobTable {
    /// The program and its arguments. It gets the job as one line of JSON on its standard input, with
    /// the keys `name`, `input`, `hook`, `session` and `attempt`. `attempt` is more than 1 if a process
    /// ended before the job did. It runs outside of the sandbox, in the working
    /// directory.
    pub command: Vec<String>,
    /// For a command: variables that it inherits from the agent's environment beside `PATH`, `HOME` and
    /// the locale.
    pub inherit_env: Vec<String>,
    /// For a command: milliseconds that it may take. The policy limits a tool.
    #[schemars(extend("default" = TIMEOUT_MS))]
    pub timeout_ms: Option<NonZeroU64>,
    /// The tool, in place of a command: one of the agent's. The job's input is its arguments.
    pub tool: Option<String>,
}

impl JobTable {
    pub(crate) fn resolve(&mut self, dir: &Path) {
        if let Some(program) = self.command.first_mut() {
            resolve_program(program, dir);
        }
    }

    pub(crate) fn faults(&self, name: &str, file: &AgentFile, faults: &mut Faults<'_>) {
        let at = ["jobs", name];
        let of_command = [
            ("inherit-env", !self.inherit_env.is_empty()),
            ("timeout-ms", self.timeout_ms.is_some()),
        ];
        for (key, set) in of_command {
            if set && self.tool.is_some() {
                let problem = format!("a job that is a tool has no `{key}`; remove it");
                faults.add(&["jobs", name, key], problem);
            }
        }
        match (self.command.split_first(), &self.tool) {
            (Some((program, _)), None) => {
                faults.program(&["jobs", name, "command"], program);
            }
            (None, Some(tool)) => {
                // The names of servers' tools are checked once the servers were asked for them.
                if file.server_of(tool).is_some() {
                    return;
                }
                let known = file.built_in_names();
                let at = ["jobs", name, "tool"];
                faults.one_of(&at, "tool", tool, &known, &["tools", "mcp"]);
            }
            _ => faults.add(
                &at,
                format!("the job `{name}` must have one handler: `command` or `tool`"),
            ),
        }
    }

    pub(crate) fn handler(
        &self,
        file: &AgentFile,
        working_dir: PathBuf,
        tools: Arc<dyn ToolDispatcher>,
        policy: Arc<dyn Policy>,
    ) -> Result<Option<Arc<dyn JobHandler>>, CatalogError> {
        if let Some(tool) = &self.tool {
            let job = ToolJob::new(&file.name, tool, tools, policy)?;
            return Ok(Some(Arc::new(job)));
        }
        let timeout_ms = self.timeout_ms.map_or(TIMEOUT_MS, NonZeroU64::get);
        let (command, inherit) = (&self.command, &self.inherit_env);
        let command = line_command(command, inherit, Some(working_dir), timeout_ms);
        Ok(command.map(|command| Arc::new(CommandJob(command)) as Arc<dyn JobHandler>))
    }
}
