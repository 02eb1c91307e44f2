//! One tool of a server.

use async_trait::async_trait;
use portcullis::contract::ToolSpec;
use portcullis::trace::TraceContext;
use rmcp::model::{CallToolRequestParams, CallToolResponse, ToolAnnotations};
use rmcp::service::ServiceError;
use rmcp::{Peer, RoleClient};
use serde_json::{Map, Value};

use super::client::{Reports, call};
use super::render::render;
use super::stderr::StderrTail;
use crate::tool::{Replay, Tool, ToolError, ToolOutput, ToolRun};

/// The entry of `_meta` with the key of a durable turn's call.
const KEY_META: &str = "portcullis/idempotency-key";

/// One tool of a server.
pub(super) struct McpTool {
    pub(super) server: String,
    /// Its name on the server.
    pub(super) remote_name: String,
    pub(super) spec: ToolSpec,
    pub(super) replay: Replay,
    pub(super) peer: Peer<RoleClient>,
    pub(super) reports: Reports,
    pub(super) stderr: StderrTail,
}

#[async_trait]
impl Tool for McpTool {
    fn spec(&self) -> ToolSpec {
        self.spec.clone()
    }

    fn replay(&self) -> Replay {
        self.replay
    }

    async fn execute(&self, arguments: Value, run: ToolRun) -> Result<ToolOutput, ToolError> {
        let Value::Object(arguments) = arguments else {
            return Err(ToolError::Arguments("they are not a JSON object".into()));
        };
        let mut params =
            CallToolRequestParams::new(self.remote_name.clone()).with_arguments(arguments);
        let key = run.key.map(|key| (KEY_META, key));
        let trace = run.trace.iter().flat_map(TraceContext::headers);
        let meta = key.into_iter().chain(trace);
        let meta: Map<_, _> = meta
            .map(|(name, value)| (name.to_owned(), value.into()))
            .collect();
        if !meta.is_empty() {
            params.meta = Some(meta.into());
        }
        // Dropping the call cancels it at the server.
        let limit = run.grant.timeout;
        match tokio::time::timeout(limit, call(&self.peer, &self.reports, params, run.progress))
            .await
        {
            Ok(Ok(CallToolResponse::Complete(result))) => Ok(render(result)),
            Ok(Ok(_)) => Err(self.failed("it asks for more than this client offers")),
            Ok(Err(error)) => Err(self.error(&error).await),
            Err(_) => Err(ToolError::Timeout(limit)),
        }
    }
}

/// Returns the replay setting from a server's hints about a tool. A tool that only reads, or that
/// has no further effect when it is called again, may be run again.
pub(super) fn hinted(hints: Option<&ToolAnnotations>) -> Replay {
    let is_repeatable = hints.is_some_and(|hints| {
        hints.read_only_hint == Some(true) || hints.idempotent_hint == Some(true)
    });
    match is_repeatable {
        true => Replay::Safe,
        false => Replay::Never,
    }
}

impl McpTool {
    fn failed(&self, cause: &str) -> ToolError {
        ToolError::Server {
            server: self.server.clone(),
            cause: portcullis::text::sanitize_for_terminal(cause),
        }
    }

    async fn error(&self, error: &ServiceError) -> ToolError {
        match error {
            ServiceError::TransportClosed | ServiceError::TransportSend(_) => {
                ToolError::ServerGone {
                    server: self.server.clone(),
                    cause: self
                        .stderr
                        .last_line_at_end()
                        .await
                        .unwrap_or_else(|| "its standard error was empty".into()),
                }
            }
            ServiceError::McpError(error) => self.failed(&error.message),
            other => self.failed(&other.to_string()),
        }
    }
}
