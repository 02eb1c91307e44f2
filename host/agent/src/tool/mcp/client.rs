//! This host as an MCP client: it passes on the progress that servers report.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use rmcp::handler::client::ClientHandler;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResponse, CancelledNotificationParam,
    ClientCapabilities, ClientConfig, ClientRequest, Implementation, ProgressNotificationParam,
    ProgressToken, RequestId, ServerResult,
};
use rmcp::service::{NotificationContext, PeerRequestOptions, RunningService, ServiceError};
use rmcp::{Peer, RoleClient};

use crate::tool::ToolProgress;

/// The maximum number of bytes of a report that are passed on.
const LONGEST_REPORT: usize = 4_096;

/// A running connection to a server.
pub(super) type Connection = RunningService<RoleClient, McpClient>;

/// The calls whose progress is passed on. Clones share the list.
#[derive(Clone, Default)]
pub(super) struct Reports(Arc<Listed>);

#[derive(Default)]
struct Listed {
    calls: Mutex<HashMap<ProgressToken, ToolProgress>>,
    /// Held while a call is sent and added to the list, so that an early report waits for it.
    sending: tokio::sync::Mutex<()>,
}

/// Handles a server's unsolicited messages.
pub(super) struct McpClient {
    info: ClientConfig,
    reports: Reports,
}

impl McpClient {
    pub(super) fn new() -> Self {
        Self {
            info: ClientConfig::new(
                ClientCapabilities::default(),
                Implementation::new("portcullis", env!("CARGO_PKG_VERSION")),
            ),
            reports: Reports::default(),
        }
    }

    pub(super) fn reports(&self) -> Reports {
        self.reports.clone()
    }
}

impl ClientHandler for McpClient {
    fn get_info(&self) -> ClientConfig {
        self.info.clone()
    }

    async fn on_progress(
        &self,
        report: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        let listed = &self.reports.0;
        drop(listed.sending.lock().await);
        let progress = listed.calls.lock().get(&report.progress_token).cloned();
        if let Some(progress) = progress {
            progress.update(&progress_text(&report));
        }
    }
}

/// Returns a progress report as text.
pub fn progress_text(report: &ProgressNotificationParam) -> String {
    let done = report.progress;
    let share = match report.total {
        Some(total) => format!("{done} of {total}"),
        None => done.to_string(),
    };
    match report.message.as_deref() {
        Some(message) => {
            let message = crate::basics::text::cut(message, LONGEST_REPORT);
            format!("{share}: {message}")
        }
        None => share,
    }
}

/// Calls a tool, and passes its progress on. Dropping the future cancels the call at the server.
pub(super) async fn call(
    peer: &Peer<RoleClient>,
    reports: &Reports,
    params: CallToolRequestParams,
    progress: ToolProgress,
) -> Result<CallToolResponse, ServiceError> {
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
    let sending = reports.0.sending.lock().await;
    let handle = peer
        .send_cancellable_request(request, PeerRequestOptions::no_options())
        .await?;
    let mut running = Running {
        peer: peer.clone(),
        id: Some(handle.id.clone()),
        token: handle.progress_token.clone(),
        reports: reports.clone(),
    };
    if progress.is_heard() {
        let token = running.token.clone();
        reports.0.calls.lock().insert(token, progress);
    }
    drop(sending);
    let result = handle.await_response().await;
    running.id = None;
    match result? {
        ServerResult::CallToolResult(result) => Ok(CallToolResponse::Complete(result)),
        ServerResult::InputRequiredResult(result) => Ok(CallToolResponse::InputRequired(result)),
        ServerResult::CreateTaskResult(result) => Ok(CallToolResponse::Task(result)),
        _ => Err(ServiceError::UnexpectedResponse),
    }
}

/// A running call.
struct Running {
    peer: Peer<RoleClient>,
    /// `None` once the server has answered.
    id: Option<RequestId>,
    token: ProgressToken,
    reports: Reports,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.reports.0.calls.lock().remove(&self.token);
        let Some(id) = self.id.take() else {
            return;
        };
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let peer = self.peer.clone();
            runtime.spawn(async move {
                let cancelled = CancelledNotificationParam::new(Some(id), None);
                // A server that has ended needs no notice.
                let _ = peer.notify_cancelled(cancelled).await;
            });
        }
    }
}
