//! `[mcp.NAME]`: servers of tools.

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use portcullis_agent::{ApiKey, McpError, McpHttpConfig, McpServer, McpServerConfig};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::faults::Faults;
use crate::paths::resolve_program;

/// A server of tools, by its name: a program that is started, or an address. Its tools are called
/// `NAME__tool`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub struct Mcp {
    /// The program. It speaks over its standard streams.
    pub command: Option<String>,
    /// The program's arguments.
    pub args: Vec<String>,
    /// Variables to set for the program.
    pub env: BTreeMap<String, String>,
    /// Variables that the program inherits from the agent's environment beside `PATH`, `HOME` and the
    /// locale.
    pub inherit_env: Vec<String>,
    /// The directory that the program runs in.
    #[schemars(extend("x-if-left-out" = "the agent's"))]
    pub working_dir: Option<PathBuf>,
    /// The address of a server that speaks streamable HTTP, in place of a program. It has no user, query or
    /// fragment.
    pub url: Option<String>,
    /// The environment variable that holds the server's bearer token.
    pub token_env: Option<String>,
    /// The file that holds the server's bearer token, in place of a variable.
    pub token_file: Option<PathBuf>,
    /// Milliseconds that it may take to start and to list its tools.
    #[schemars(extend("default" = McpHttpConfig::new("", "").startup_timeout_ms))]
    pub startup_timeout_ms: Option<NonZeroU64>,
}

impl Mcp {
    pub(crate) fn resolve(&mut self, dir: &Path) {
        if let Some(program) = &mut self.command {
            resolve_program(program, dir);
        }
        for path in [&mut self.working_dir, &mut self.token_file]
            .into_iter()
            .flatten()
        {
            *path = dir.join(&*path);
        }
    }

    pub(crate) fn faults(&self, name: &str, faults: &mut Faults<'_>) {
        let at = |key| ["mcp", name, key];
        if let Err(error) = McpServer::check_name(name) {
            faults.add(&["mcp", name], error.to_string());
        }
        match (&self.command, &self.url) {
            (Some(program), None) => faults.program(&at("command"), program),
            (None, Some(_)) => {}
            _ => faults.add(
                &["mcp", name],
                format!("the MCP server `{name}` must have one address: `command` or `url`"),
            ),
        }
        faults.address(&at("url"), self.url.as_deref(), "token");
        let of_command = [
            ("args", !self.args.is_empty()),
            ("env", !self.env.is_empty()),
            ("inherit-env", !self.inherit_env.is_empty()),
            ("working-dir", self.working_dir.is_some()),
        ];
        let of_url = [
            ("token-env", self.token_env.is_some()),
            ("token-file", self.token_file.is_some()),
        ];
        let misplaced = match self.url {
            Some(_) => &of_command[..],
            None => &of_url[..],
        };
        for (key, set) in misplaced {
            if *set {
                let other = if self.url.is_some() { "command" } else { "url" };
                faults.add(
                    &at(key),
                    format!("`{key}` is for a server with `{other}`; remove it"),
                );
            }
        }
        if self.token_env.is_some() && self.token_file.is_some() {
            faults.add(
                &at("token-env"),
                "the token has two sources; keep one of them",
            );
        }
        if let Some(Err(error)) = self.http(name).map(|config| config.check()) {
            let key = match (&self.token_env, &self.token_file) {
                (Some(_), _) => "token-env",
                (_, Some(_)) => "token-file",
                _ => "url",
            };
            faults.add(&at(key), error.to_string());
        }
    }

    fn http(&self, name: &str) -> Option<McpHttpConfig> {
        let mut config = McpHttpConfig::new(name, self.url.as_ref()?);
        config.token = match (&self.token_env, &self.token_file) {
            (Some(variable), _) => ApiKey::Env(variable.clone()),
            (_, Some(path)) => ApiKey::File(path.clone()),
            _ => ApiKey::None,
        };
        if let Some(limit) = self.startup_timeout_ms {
            config.startup_timeout_ms = limit.get();
        }
        Some(config)
    }

    pub(crate) async fn connect(&self, name: &str) -> Result<McpServer, McpError> {
        if let Some(config) = self.http(name) {
            return McpServer::connect_http(config).await;
        }
        let command = self.command.as_deref().unwrap_or_default();
        let mut config = McpServerConfig {
            args: self.args.clone(),
            env: self.env.clone(),
            inherit_env: self.inherit_env.clone(),
            working_dir: self.working_dir.clone(),
            ..McpServerConfig::new(name, command)
        };
        if let Some(limit) = self.startup_timeout_ms {
            config.startup_timeout_ms = limit.get();
        }
        McpServer::connect(config).await
    }
}
