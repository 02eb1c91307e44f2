//! How an MCP server is reached.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::McpError;
use crate::provider::ApiKey;

/// How long it may take to connect to a server.
const CONNECTING: Duration = Duration::from_secs(10);

/// How an MCP server is started.
///
/// The server is a child process. It inherits little more than `PATH`, `HOME` and the locale,
/// because the agent's environment may hold keys. Its other variables are listed here.
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

/// How an MCP server is reached that speaks streamable HTTP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpHttpConfig {
    /// The server's name: letters, digits, `-` and `_`. Its tools are called `name__tool`.
    pub name: String,
    /// Its address, such as `http://127.0.0.1:8000/mcp`.
    pub url: String,
    /// Where its bearer token is from. Default: it takes none.
    pub token: ApiKey,
    /// How long it may take to answer and to list its tools, in milliseconds. Default: 30,000.
    pub startup_timeout_ms: u64,
}

impl McpHttpConfig {
    /// A server at this address, with the defaults.
    pub fn new(name: impl Into<String>, url: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            url: url.into(),
            token: ApiKey::None,
            startup_timeout_ms: default_startup(),
        }
    }

    /// Checks the address and reads the token. Nothing is sent.
    ///
    /// # Errors
    ///
    /// The address is not one, or the token cannot be read.
    pub fn check(&self) -> Result<(), McpError> {
        self.token().map(|_| ())
    }

    /// A client for the address, and the token. Connecting takes at most 10 seconds. Redirects are not followed: they would
    /// carry the token to another host.
    ///
    /// # Errors
    ///
    /// As [`McpHttpConfig::check`], or the client cannot be made.
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

    /// The token, if the address is one.
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
