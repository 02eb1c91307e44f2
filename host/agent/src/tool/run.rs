//! What a tool is given and gives back.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use super::ToolState;
use crate::policy::ExecutionGrant;

/// One run of a tool: what it may do, and its links to the agent.
#[derive(Debug, Clone)]
pub struct ToolRun {
    /// What the policy lets it do.
    pub grant: ExecutionGrant,
    /// Cancelled when nobody wants the result any more. A tool that leaves its work to others (a
    /// thread, a process) watches it; any other just stops when its future is dropped.
    pub cancel: CancellationToken,
    /// Where it tells how far it is.
    pub progress: ToolProgress,
    /// The agent's state, which it may read and change.
    pub state: ToolState,
}

impl ToolRun {
    /// A run that nobody watches and nobody cancels.
    pub fn detached(grant: ExecutionGrant) -> Self {
        Self {
            grant,
            cancel: CancellationToken::new(),
            progress: ToolProgress::unheard(),
            state: ToolState::default(),
        }
    }
}

/// Where a running tool tells how far it is. Cheap to clone.
#[derive(Clone)]
pub struct ToolProgress(Option<Arc<Update>>);

type Update = dyn Fn(&str) + Send + Sync;

impl ToolProgress {
    /// Progress that goes to this function.
    pub fn new(update: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(update)))
    }

    /// Progress that goes nowhere.
    pub fn unheard() -> Self {
        Self(None)
    }

    /// Tells something, in words.
    pub fn update(&self, text: &str) {
        if let Some(update) = &self.0 {
            update(text);
        }
    }

    /// Whether anybody listens.
    pub fn is_heard(&self) -> bool {
        self.0.is_some()
    }
}

impl std::fmt::Debug for ToolProgress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.is_heard() { "heard" } else { "unheard" })
    }
}

/// What a tool gave back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolOutput {
    /// The text for the model.
    pub content: String,
    /// Whether it tells of a failure.
    pub is_error: bool,
}

impl ToolOutput {
    /// An output that tells of success.
    pub fn ok(content: impl Into<String>) -> Self {
        Self {
            content: content.into(),
            is_error: false,
        }
    }

    /// An output that tells of a failure.
    pub fn error(content: impl Into<String>) -> Self {
        Self {
            content: content.into(),
            is_error: true,
        }
    }
}

/// Why a tool gave nothing back. The text goes to the model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ToolError {
    /// There is no tool of that name.
    #[error("there is no tool called `{0}`")]
    Unknown(String),
    /// The arguments make no sense.
    #[error("the arguments make no sense: {0}")]
    Arguments(String),
    /// The grant does not allow it.
    #[error("not allowed: {0}")]
    NotGranted(String),
    /// It took too long.
    #[error("it was stopped after its time limit of {} ms", .0.as_millis())]
    Timeout(Duration),
    /// The server that has the tool is gone.
    #[error("the MCP server `{server}` is gone: {cause}")]
    ServerGone {
        /// The server.
        server: String,
        /// What is known of why.
        cause: String,
    },
    /// The server that has the tool did not do it.
    #[error("the MCP server `{server}` reports an error: {cause}")]
    Server {
        /// The server.
        server: String,
        /// What it says.
        cause: String,
    },
    /// The tool's own code panicked.
    #[error("the tool itself is broken and was stopped")]
    Panicked,
    /// Anything else.
    #[error("{0}")]
    Failed(String),
}
