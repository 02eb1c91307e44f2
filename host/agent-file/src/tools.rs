//! `[tools]`: the tools that come with the agent, and how tool calls run.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::Arc;

use portcullis_agent::{
    AgentConfig, ListDir, OtherTools, ReadFile, Replay, RulePolicy, RunCommand, SetState, Tool,
    ToolStrategy, WriteFile,
};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::file::AgentFile;

/// A tool that comes with the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BuiltIn {
    /// Reads a file.
    ReadFile,
    /// Lists a directory.
    ListDir,
    /// Writes a file.
    WriteFile,
    /// Runs a shell command. It can leave the working directory.
    RunCommand,
    /// Sets a key of the agent's state, which hooks read.
    SetState,
}

impl BuiltIn {
    /// All built-in tools.
    pub const ALL: [Self; 5] = [
        Self::ReadFile,
        Self::WriteFile,
        Self::ListDir,
        Self::RunCommand,
        Self::SetState,
    ];
    /// The tools that change nothing.
    const HARMLESS: [Self; 2] = [Self::ReadFile, Self::ListDir];
    /// The tools that an agent has if the policy allows them.
    pub(crate) const USUAL: [Self; 4] = [
        Self::ReadFile,
        Self::WriteFile,
        Self::ListDir,
        Self::RunCommand,
    ];

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ReadFile => "read_file",
            Self::ListDir => "list_dir",
            Self::WriteFile => "write_file",
            Self::RunCommand => "run_command",
            Self::SetState => "set_state",
        }
    }
}

/// The tools that come with the agent, and how tool calls run.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub struct Tools {
    /// The tools that come with the agent and that it has.
    #[schemars(extend("x-if-left-out" = "`read_file` and `list_dir`; with `policy.allow`, those that it names, but for `set_state`"))]
    pub built_in: Option<Vec<BuiltIn>>,
    /// Variables that `run_command` inherits from the agent's environment beside `PATH`, `HOME` and the
    /// locale.
    pub inherit_env: Vec<String>,
    /// How a durable agent treats a tool that was running when its process died, by tool name: it
    /// runs the tool again (`safe`), runs it again under the same key (`keyed`), or asks a person
    /// (`never`).
    #[schemars(extend("x-if-left-out" = "what the tool says: `safe` for those that read, write a whole file or set state, and for those of MCP servers with the hint that they only read or are idempotent; else `never`"))]
    pub replay: BTreeMap<String, Replay>,
    /// How the tool calls of one response run: one after another, all in parallel, or
    /// `{ batched = N }`: so many at a time.
    pub strategy: ToolStrategy,
    /// The most tool calls of one response. A response with more fails the turn, and none of its calls
    /// runs.
    #[schemars(extend("default" = AgentConfig::default().max_tool_calls.get()))]
    pub max_calls: Option<NonZeroU32>,
    /// The most bytes of a tool's output. The middle of longer output is replaced by a mark.
    #[schemars(extend("default" = AgentConfig::default().max_tool_output_bytes))]
    pub max_output_bytes: Option<usize>,
}

impl AgentFile {
    /// Returns the built-in tools that the agent has if the policy allows them.
    pub(crate) fn built_in(&self) -> Vec<BuiltIn> {
        match (&self.tools.built_in, &self.policy.allow) {
            (Some(named), _) => named.clone(),
            (None, None) => BuiltIn::HARMLESS.to_vec(),
            (None, Some(allow)) => {
                // Only the tools that `allow` names: `others` alone does not enable `run_command`.
                let named = RulePolicy {
                    allow: allow.clone(),
                    others: Some(OtherTools::Deny),
                    ..RulePolicy::default()
                };
                let usual = BuiltIn::USUAL.into_iter();
                usual
                    .filter(|tool| named.decide(tool.name()).is_ok())
                    .collect()
            }
        }
    }

    pub(crate) fn built_in_names(&self) -> Vec<&'static str> {
        self.built_in().into_iter().map(BuiltIn::name).collect()
    }

    pub(crate) fn built_in_tools(&self) -> Vec<Arc<dyn Tool>> {
        let tools = self.built_in().into_iter();
        let tools = tools.map(|tool| -> Arc<dyn Tool> {
            match tool {
                BuiltIn::ReadFile => Arc::new(ReadFile),
                BuiltIn::ListDir => Arc::new(ListDir),
                BuiltIn::WriteFile => Arc::new(WriteFile),
                BuiltIn::SetState => Arc::new(SetState),
                BuiltIn::RunCommand => Arc::new(RunCommand {
                    inherit_env: self.tools.inherit_env.clone(),
                }),
            }
        });
        tools.collect()
    }
}
