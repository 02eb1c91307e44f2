//! How turns and sessions fail.

use std::sync::Arc;

use portcullis::contract::Rejection;
use portcullis::points::PointId;
use portcullis::points::turn_error::ErrorKind;
use portcullis::{HookFailed, HookId};

use crate::checkpoint::{CheckpointError, CheckpointId};
use crate::provider::ProviderError;
use crate::workspace::WorkspaceError;

/// A turn that failed. The conversation is as it was before the turn.
#[derive(Debug, Clone, thiserror::Error)]
pub enum TurnError {
    /// A hook refused something the turn cannot do without.
    #[error("hook `{by}` refused at {point}: {} ({})", shown(&rejection.reason), shown(&rejection.code))]
    Rejected {
        /// The point.
        point: PointId,
        /// The hook.
        by: HookId,
        /// Its refusal.
        rejection: Rejection,
    },
    /// A hook that must not fail failed.
    #[error(transparent)]
    Hook(#[from] HookFailed),
    /// A model call failed, and nobody would try again.
    #[error("the model call failed ({provider}, {model}, attempt {attempts}): {error}; {gave_up}")]
    Provider {
        /// The provider that was called last.
        provider: String,
        /// The model that was called last.
        model: String,
        /// How often a provider was called.
        attempts: u32,
        /// The last failure.
        error: ProviderError,
        /// Why nobody tried again, in words.
        gave_up: String,
    },
    /// The turn took more steps than it may.
    #[error(
        "the turn was stopped after {limit} steps, the most it may take (`max-steps` of the agent's configuration)"
    )]
    StepLimit {
        /// The limit.
        limit: u32,
    },
    /// The turn was to be suspended, and could not be.
    #[error("the turn cannot be suspended: {0}")]
    Suspend(String),
    /// The session's last turn is suspended.
    #[error("the session waits: resume its suspended turn first")]
    Left,
    /// The turn was cancelled.
    #[error("the turn was cancelled")]
    Cancelled,
}

fn shown(text: &str) -> String {
    portcullis::printable(text)
}

impl TurnError {
    /// What failed, as the `turn-error` hooks are told. A cancelled turn is no failure to recover
    /// from: nobody is told.
    pub fn kind(&self) -> Option<ErrorKind> {
        match self {
            Self::Rejected { .. } => Some(ErrorKind::Rejected),
            Self::Hook(_) => Some(ErrorKind::Hook),
            Self::Provider { .. } => Some(ErrorKind::Provider),
            Self::StepLimit { .. } => Some(ErrorKind::Limit),
            Self::Suspend(_) => Some(ErrorKind::Internal),
            Self::Cancelled | Self::Left => None,
        }
    }
}

/// A suspended turn that does not go on. Its checkpoint waits as before, unless it is gone.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ResumeError {
    /// Nobody said where checkpoints are kept.
    #[error("there is no place for checkpoints; give one with `NewSession::checkpoints`")]
    NoStore,
    /// The checkpoint is not to be had.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The checkpoint cannot be read.
    #[error("checkpoint {checkpoint} cannot be read: {cause}")]
    Unreadable {
        /// The checkpoint.
        checkpoint: CheckpointId,
        /// Why.
        cause: String,
    },
    /// Its workspace cannot be opened.
    #[error(transparent)]
    Workspace(SessionError),
    /// It is another agent's turn.
    #[error(
        "checkpoint {checkpoint} is a turn of agent `{agent}`, and this is `{here}`; resume it with \
         that agent"
    )]
    OtherAgent {
        /// The checkpoint.
        checkpoint: CheckpointId,
        /// Whose turn it is.
        agent: String,
        /// The agent that was to resume it.
        here: String,
    },
    /// It is a sub-agent's turn, which goes on when its parent's does.
    #[error(
        "checkpoint {checkpoint} is a sub-agent's; resume the checkpoint of its parent, where its \
         calls are called `agent-call-id/call-id`"
    )]
    OfSubagent {
        /// The checkpoint.
        checkpoint: CheckpointId,
    },
    /// What is given is not what is waited for.
    #[error("{0}")]
    Resolutions(String),
    /// The session's token was cancelled before the turn went on.
    #[error("the session was cancelled before its turn went on")]
    Cancelled,
}

/// A session that did not begin. The `session-end` hooks have run.
#[derive(Debug, Clone, thiserror::Error)]
pub enum SessionError {
    /// A hook refused it.
    #[error("hook `{by}` refused the session: {} ({})", shown(&rejection.reason), shown(&rejection.code))]
    Rejected {
        /// The hook.
        by: HookId,
        /// Its refusal.
        rejection: Rejection,
    },
    /// A hook that must not fail failed.
    #[error(transparent)]
    Hook(#[from] HookFailed),
    /// It is to work in a workspace, and the agent has none.
    #[error(
        "the session is to work in the workspace `{name}`, and the agent has no workspaces; give \
         it some with `AgentBuilder::workspaces`"
    )]
    NoWorkspaces {
        /// The workspace.
        name: String,
    },
    /// Its workspace cannot be opened.
    #[error(transparent)]
    Workspace(Arc<WorkspaceError>),
    /// It was cancelled while it began.
    #[error("the session was cancelled while it began")]
    Cancelled,
}
