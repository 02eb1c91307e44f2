//! The run of a tool.

use std::sync::Arc;
use std::time::Duration;

use portcullis::trace::TraceContext;
use tokio_util::sync::CancellationToken;

use super::ToolState;
use crate::policy::ExecutionGrant;

/// One run of a tool: its grant, and its connections to the agent.
#[derive(Debug, Clone)]
pub struct ToolRun {
    /// The permissions that the policy grants.
    pub grant: ExecutionGrant,
    /// Cancelled when the result is no longer needed. A tool that starts threads or processes must
    /// watch it; any other tool stops when its future is dropped.
    pub cancel: CancellationToken,
    /// Receives its progress reports.
    pub progress: ToolProgress,
    /// The agent's state, which it may read and change.
    pub state: ToolState,
    /// Identifies the call in a durable turn. The key is the same if the tool is run again because
    /// the process died before its result was recorded. A tool that already ran under a key returns
    /// the same result. `None` if tools are not run again.
    pub key: Option<String>,
    /// The span of the call, for services that the tool calls. `None` if the call is not part of a
    /// trace.
    pub trace: Option<TraceContext>,
}

impl ToolRun {
    /// Creates a run without progress reports that is never cancelled.
    pub fn detached(grant: ExecutionGrant) -> Self {
        Self {
            grant,
            cancel: CancellationToken::new(),
            progress: ToolProgress::unheard(),
            state: ToolState::default(),
            key: None,
            trace: None,
        }
    }
}

/// Receives the progress reports of a running tool. Cheap to clone.
#[derive(Clone)]
pub struct ToolProgress(Option<Arc<Update>>);

type Update = dyn Fn(&str) + Send + Sync;

impl ToolProgress {
    /// Creates a receiver that passes reports to this function.
    pub fn new(update: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(update)))
    }

    /// Creates a receiver that ignores all reports.
    pub fn unheard() -> Self {
        Self(None)
    }

    /// Reports progress, as text.
    pub fn update(&self, text: &str) {
        if let Some(update) = &self.0 {
            update(text);
        }
    }

    /// Returns whether reports are passed on.
    pub fn is_heard(&self) -> bool {
        self.0.is_some()
    }
}

impl std::fmt::Debug for ToolProgress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.is_heard() { "heard" } else { "unheard" })
    }
}

/// The reason that a tool has no output. The model gets the text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ToolError {
    /// There is no tool with this name.
    #[error("there is no tool called `{0}`")]
    Unknown(String),
    /// The arguments are invalid.
    #[error("the arguments are invalid: {0}")]
    Arguments(String),
    /// The grant does not allow this run.
    #[error("not allowed: {0}")]
    NotGranted(String),
    /// The tool took too long.
    #[error("it was stopped after its time limit of {} ms", .0.as_millis())]
    Timeout(Duration),
    /// The tool's server has ended.
    #[error("the MCP server `{server}` has ended: {cause}")]
    ServerGone {
        /// The server.
        server: String,
        /// The cause, if it is known.
        cause: String,
    },
    /// The tool's server reports an error.
    #[error("the MCP server `{server}` reports an error: {cause}")]
    Server {
        /// The server.
        server: String,
        /// The server's message.
        cause: String,
    },
    /// The tool's own code panicked.
    #[error("the tool itself is broken and was stopped")]
    Panicked,
    /// Anything else.
    #[error("{0}")]
    Failed(String),
}
