//! How an MCP server is started.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// How an MCP server is started.
///
/// The server is a child process. It inherits little more than `PATH`, `HOME` and the locale,
/// because the agent's environment may hold keys. What else it needs is listed here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct McpServerConfig {
    /// The server's name: letters, digits, `-` and `_`. Its tools are called `name__tool`.
    pub name: String,
    /// The program.
    pub command: String,
    /// Its arguments. Default: none.
    #[serde(default)]
    pub args: Vec<String>,
    /// Variables to set. Default: none.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// The names of variables that it inherits from the agent's environment. Default: none.
    #[serde(default)]
    pub inherit_env: Vec<String>,
    /// The directory it runs in. Default: the agent's.
    #[serde(default)]
    pub working_dir: Option<PathBuf>,
    /// How long it may take to start and to list its tools, in milliseconds. Default: 30,000.
    #[serde(default = "default_startup")]
    pub startup_timeout_ms: u64,
}

fn default_startup() -> u64 {
    30_000
}

impl McpServerConfig {
    /// A server started by this program, with the defaults.
    pub fn new(name: impl Into<String>, command: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            command: command.into(),
            args: Vec::new(),
            env: BTreeMap::new(),
            inherit_env: Vec::new(),
            working_dir: None,
            startup_timeout_ms: default_startup(),
        }
    }
}
