//! A running server.

use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use portcullis::contract::ToolSpec;
use rmcp::model::PaginatedRequestParams;
use rmcp::service::ServiceError;
use rmcp::transport::streamable_http_client::{
    StreamableHttpClientTransport, StreamableHttpClientTransportConfig,
};
use rmcp::transport::{IntoTransport, TokioChildProcess};
use rmcp::{RoleClient, serve_client};
use tokio::process::Command;

use super::client::{Connection, McpClient, Reports};
use super::stderr::StderrTail;
use super::tool::{McpTool, hinted};
use super::{McpHttpConfig, McpServerConfig};
use crate::basics::text;
use crate::tool::Tool;
use crate::tool::child::{in_own_group, set_env};

/// The maximum length of a tool's name that providers accept.
const LONGEST_NAME: usize = 64;

/// The maximum number of bytes of a tool's description that the model gets.
const LONGEST_DESCRIPTION: usize = 4_096;

/// The maximum number of tools of one server. More would leave no room for other tools.
const MOST_TOOLS: usize = 256;

/// The maximum number of bytes of the descriptions of one server's tools: the transport's limit on
/// one message.
const MOST_BYTES: usize = 16 << 20;

/// The time limit for a server to end after its input is closed.
const CLOSING: Duration = Duration::from_secs(10);

/// A running MCP server and its tools. Dropping it stops the server; its tools fail from then on.
pub struct McpServer {
    name: String,
    tools: Vec<Arc<dyn Tool>>,
    service: Connection,
}

/// The reason that a server cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum McpError {
    /// The name cannot be part of tool names.
    #[error(
        "`{0}` cannot be the name of an MCP server: use letters, digits, `-` and `_`, as tools are \
         called `name__tool`"
    )]
    Name(String),
    /// The server cannot be reached.
    #[error("the MCP server `{server}` cannot be used: {cause}")]
    Address {
        /// The server.
        server: String,
        /// The cause.
        cause: String,
    },
    /// The server cannot be started.
    #[error("the MCP server `{server}` cannot be started: {cause}")]
    Spawn {
        /// The server.
        server: String,
        /// The cause.
        cause: std::io::Error,
    },
    /// The server did not start in time.
    #[error("the MCP server `{server}` did not start within {} ms{}", .limit.as_millis(), wrote(.stderr))]
    Timeout {
        /// The server.
        server: String,
        /// The limit.
        limit: Duration,
        /// The last line of its standard error.
        stderr: Option<String>,
    },
    /// The server started, but does not speak the protocol.
    #[error("the MCP server `{server}` does not speak the protocol: {cause}{}", wrote(.stderr))]
    Handshake {
        /// The server.
        server: String,
        /// The error text.
        cause: String,
        /// The last line of its standard error.
        stderr: Option<String>,
    },
    /// The name of a tool is too long.
    #[error(
        "the tool `{tool}` of the MCP server `{server}` would have a name of more than 64 \
         characters; give the server a shorter name"
    )]
    ToolName {
        /// The server.
        server: String,
        /// The tool.
        tool: String,
    },
}

fn wrote(stderr: &Option<String>) -> String {
    stderr
        .as_ref()
        .map_or_else(String::new, |line| format!(" (it wrote: {line})"))
}

impl McpServer {
    /// Starts a server and lists its tools.
    ///
    /// # Errors
    ///
    /// The server cannot be started, does not speak the protocol, or answers too late.
    pub async fn connect(config: McpServerConfig) -> Result<Self, McpError> {
        let name = config.name.clone();
        Self::check_name(&name)?;
        let (process, pipe) = spawn(&config).map_err(|cause| McpError::Spawn {
            server: name.clone(),
            cause,
        })?;
        let stderr = StderrTail::follow(&name, pipe);
        Self::started(name, config.startup_timeout_ms, stderr, start(process)).await
    }

    /// Connects to a server that speaks streamable HTTP, and lists its tools. Redirects are not
    /// followed.
    ///
    /// # Errors
    ///
    /// The address or the token cannot be used, the server does not speak the protocol, or it answers
    /// too late.
    pub async fn connect_http(config: McpHttpConfig) -> Result<Self, McpError> {
        let name = config.name.clone();
        Self::check_name(&name)?;
        let (client, token) = config.client()?;
        let mut transport = StreamableHttpClientTransportConfig::with_uri(config.url);
        if let Some(token) = token {
            transport = transport.auth_header(token);
        }
        let transport = StreamableHttpClientTransport::with_client(client, transport);
        let stderr = StderrTail::follow(&name, None);
        Self::started(name, config.startup_timeout_ms, stderr, start(transport)).await
    }

    /// Checks whether a server may have this name.
    ///
    /// # Errors
    ///
    /// The name is not valid.
    pub fn check_name(name: &str) -> Result<(), McpError> {
        match name.is_empty() || sanitized(name) != name {
            true => Err(McpError::Name(name.to_owned())),
            false => Ok(()),
        }
    }

    async fn started(
        name: String,
        limit_ms: u64,
        stderr: StderrTail,
        start: impl Future<Output = Result<Started, String>>,
    ) -> Result<Self, McpError> {
        let limit = Duration::from_millis(limit_ms);
        match tokio::time::timeout(limit, start).await {
            Ok(Ok((service, listed))) => Ok(Self {
                tools: wrap(&name, &service, &stderr, listed)?,
                name,
                service,
            }),
            Ok(Err(cause)) => Err(McpError::Handshake {
                server: name,
                cause: portcullis::text::sanitize_for_terminal(&cause),
                stderr: stderr.last_line_at_end().await,
            }),
            Err(_) => Err(McpError::Timeout {
                server: name,
                limit,
                stderr: stderr.last_line_at_end().await,
            }),
        }
    }

    /// Returns the server's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the server's tools, called `name__tool`, at most 256.
    pub fn tools(&self) -> Vec<Arc<dyn Tool>> {
        self.tools.clone()
    }

    /// Closes the server's input and waits until it has ended.
    pub async fn close(mut self) {
        if let Err(e) = self.service.close_with_timeout(CLOSING).await {
            tracing::warn!(
                server = self.name,
                "an MCP server was not closed cleanly: {e}"
            );
        }
    }
}

impl std::fmt::Debug for McpServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("McpServer")
            .field("name", &self.name)
            .field("tools", &self.tools.len())
            .finish_non_exhaustive()
    }
}

fn spawn(
    config: &McpServerConfig,
) -> std::io::Result<(TokioChildProcess, Option<tokio::process::ChildStderr>)> {
    let mut command = Command::new(&config.command);
    command.args(&config.args);
    if let Some(dir) = &config.working_dir {
        command.current_dir(dir);
    }
    set_env(&mut command, &config.inherit_env);
    command.envs(&config.env);
    TokioChildProcess::builder(in_own_group(command))
        .stderr(Stdio::piped())
        .spawn()
}

type Started = (Connection, Listed);

/// The tools of a server.
struct Listed {
    tools: Vec<rmcp::model::Tool>,
    /// Whether the server has more tools than are used.
    has_more: bool,
}

async fn start<E, A>(transport: impl IntoTransport<RoleClient, E, A>) -> Result<Started, String>
where
    E: std::error::Error + Send + Sync + 'static,
{
    let service = serve_client(McpClient::new(), transport)
        .await
        .map_err(|e| e.to_string())?;
    let listed = list(&service).await.map_err(|e| e.to_string())?;
    Ok((service, listed))
}

/// Lists the tools, page by page, until there are enough: a server may have an unlimited number of
/// pages, even empty ones.
async fn list(service: &Connection) -> Result<Listed, ServiceError> {
    let (mut tools, mut bytes, mut cursor) = (Vec::new(), 0, None);
    for _ in 0..=MOST_TOOLS {
        let params = PaginatedRequestParams::default().with_cursor(cursor);
        let page = service.list_tools(Some(params)).await?;
        for tool in page.tools {
            bytes += serde_json::to_string(&tool).unwrap_or_default().len();
            if tools.len() == MOST_TOOLS || bytes > MOST_BYTES {
                let has_more = true;
                return Ok(Listed { tools, has_more });
            }
            tools.push(tool);
        }
        cursor = page.next_cursor;
        if cursor.is_none() {
            let has_more = false;
            return Ok(Listed { tools, has_more });
        }
    }
    let has_more = true;
    Ok(Listed { tools, has_more })
}

fn wrap(
    server: &str,
    connection: &Connection,
    stderr: &StderrTail,
    listed: Listed,
) -> Result<Vec<Arc<dyn Tool>>, McpError> {
    let reports: Reports = connection.service().reports();
    if listed.has_more {
        tracing::warn!(
            server,
            tools = listed.tools.len(),
            "an MCP server has more than {MOST_TOOLS} tools, or descriptions of more than {MOST_BYTES} bytes; the rest \
             is left out"
        );
    }
    listed
        .tools
        .into_iter()
        .map(|tool| {
            let name = format!("{server}__{}", sanitized(&tool.name));
            if name.len() > LONGEST_NAME {
                return Err(McpError::ToolName {
                    server: server.to_owned(),
                    tool: tool.name.into_owned(),
                });
            }
            let description = tool.description.unwrap_or_default();
            Ok(Arc::new(McpTool {
                server: server.to_owned(),
                replay: hinted(tool.annotations.as_ref()),
                spec: ToolSpec {
                    name,
                    description: text::cut(&description, LONGEST_DESCRIPTION).into_owned(),
                    schema: serde_json::Value::Object((*tool.input_schema).clone()).to_string(),
                },
                remote_name: tool.name.into_owned(),
                peer: connection.peer().clone(),
                reports: reports.clone(),
                stderr: stderr.clone(),
            }) as Arc<dyn Tool>)
        })
        .collect()
}

/// Returns the name, with the characters replaced that providers refuse in tool names.
fn sanitized(name: &str) -> String {
    name.chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || c == '-' || c == '_' {
                c
            } else {
                '_'
            }
        })
        .collect()
}
