//! The configuration of MCP servers.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::McpError;
use crate::provider::ApiKey;

/// The time limit for connecting to a server.
const CONNECTING: Duration = Duration::from_secs(10);

/// The configuration of an MCP server that is started.
///
/// The server is a child process. Its environment has little more than `PATH`, `HOME` and the
/// locale, because the agent's environment may contain keys. Other variables are listed here.
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
    /// The working directory. Default: the agent's.
    #[serde(default)]
    pub working_dir: Option<PathBuf>,
    /// The time limit for starting and for listing the tools, in milliseconds. Default: 30,000.
    #[serde(default = "default_startup")]
    pub startup_timeout_ms: u64,
}

fn default_startup() -> u64 {
    30_000
}

impl McpServerConfig {
    /// Creates the configuration of a server that is started by this command, with the defaults.
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

/// The configuration of an MCP server that speaks streamable HTTP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpHttpConfig {
    /// The server's name: letters, digits, `-` and `_`. Its tools are called `name__tool`.
    pub name: String,
    /// Its address, such as `http://127.0.0.1:8000/mcp`.
    pub url: String,
    /// The source of the bearer token. Default: no token.
    pub token: ApiKey,
    /// The time limit for connecting and for listing the tools, in milliseconds. Default: 30,000.
    pub startup_timeout_ms: u64,
}

impl McpHttpConfig {
    /// Creates the configuration of a server at this address, with the defaults.
    pub fn new(name: impl Into<String>, url: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            url: url.into(),
            token: ApiKey::None,
            startup_timeout_ms: default_startup(),
        }
    }

    /// Checks the address and reads the token. Sends nothing.
    ///
    /// # Errors
    ///
    /// The address is not valid, or the token cannot be read.
    pub fn check(&self) -> Result<(), McpError> {
        self.token().map(|_| ())
    }

    /// Returns a client for the address, and the token. Connecting takes at most 10 seconds.
    /// Redirects are not followed, because they would send the token to another host.
    ///
    /// # Errors
    ///
    /// See [`McpHttpConfig::check`]. Or the client cannot be created.
    pub fn client(&self) -> Result<(reqwest::Client, Option<String>), McpError> {
        let token = self.token()?;
        let client = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECTING)
            .build();
        let client = client.map_err(|e| McpError::Address {
            server: self.name.clone(),
            cause: format!("the HTTP client cannot be made: {e}"),
        })?;
        Ok((client, token))
    }

    /// Returns the token, if the address is valid.
    fn token(&self) -> Result<Option<String>, McpError> {
        let wrong = |cause: String| McpError::Address {
            server: self.name.clone(),
            cause,
        };
        let url = reqwest::Url::parse(&self.url).map_err(|e| wrong(format!("its address: {e}")))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(wrong(
                "its address must begin with `http://` or `https://`".into(),
            ));
        }
        self.token.read().map_err(|e| wrong(e.to_string()))
    }
}
