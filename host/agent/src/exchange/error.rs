//! Errors of turns and sessions.

use std::sync::Arc;

use portcullis::HookId;
use portcullis::contract::Rejection;
use portcullis::points::PointId;
use portcullis::points::turn_error::ErrorKind;
use portcullis::state::StateStoreError;
use portcullis::verdict::HookFailed;

use crate::basics::units::seconds_since;
use crate::checkpoint::{CheckpointError, CheckpointId, ClaimedBy};
use crate::effects::{EffectsError, TurnStoreError};
use crate::provider::ProviderError;
use crate::saved::SavedSessionError;
use crate::workspace::WorkspaceError;

/// The error of a failed turn. The conversation is the same as before the turn, unless the turn is
/// done and its session [could not be saved](EffectsError::Unsaved).
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
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
    /// A model call failed and is not retried.
    #[error("the model call failed ({provider}, {model}, attempt {attempts}): {error}; {gave_up}")]
    Provider {
        /// The provider that was called last.
        provider: String,
        /// The model that was called last.
        model: String,
        /// The number of times that a provider was called.
        attempts: u32,
        /// The last failure.
        error: ProviderError,
        /// The reason that the call is not retried.
        gave_up: String,
    },
    /// The turn reached its step limit.
    #[error(
        "the turn was stopped after {limit} steps, the most it may take (`max-steps` of the agent's configuration)"
    )]
    StepLimit {
        /// The limit.
        limit: u32,
    },
    /// The model requested too many tool calls at once. None of them ran.
    #[error(
        "the model asked for {asked} tool calls in one response; the limit is {limit} (`max-tool-calls` of the agent's configuration); none of them ran"
    )]
    ToolCallLimit {
        /// The number of requested calls.
        asked: usize,
        /// The limit.
        limit: u32,
    },
    /// The turn had to be suspended and could not be.
    #[error("the turn cannot be suspended: {0}")]
    CannotSuspend(String),
    /// The session's last turn is suspended.
    #[error("the session's turn is suspended: resume it first")]
    Suspended,
    /// The turn cannot continue here. Its record is not changed, and the session runs no more
    /// turns.
    #[error("the turn was interrupted: {0}")]
    Interrupted(#[from] EffectsError),
    /// A process died in the session's last turn.
    #[error(
        "the session's last turn was interrupted: finish it first (`AgentSession::finish_turn`), or \
         discard it (`AgentSession::discard_unfinished`)"
    )]
    Unfinished,
    /// The turn was cancelled.
    #[error("the turn was cancelled")]
    Cancelled,
}

fn shown(text: &str) -> String {
    portcullis::text::sanitize_for_terminal(text)
}

impl TurnError {
    pub(crate) fn rejected(point: PointId, by: HookId, rejection: Rejection) -> Self {
        Self::Rejected {
            point,
            by,
            rejection,
        }
    }

    /// Returns the kind of failure that `turn-error` hooks get. `None` for a cancelled or suspended
    /// turn, for which `turn-error` does not fire.
    pub fn kind(&self) -> Option<ErrorKind> {
        match self {
            Self::Rejected { .. } => Some(ErrorKind::Rejected),
            Self::Hook(_) => Some(ErrorKind::Hook),
            Self::Provider { .. } => Some(ErrorKind::Provider),
            Self::StepLimit { .. } | Self::ToolCallLimit { .. } => Some(ErrorKind::Limit),
            Self::CannotSuspend(_) => Some(ErrorKind::Internal),
            Self::Cancelled | Self::Suspended | Self::Interrupted(_) | Self::Unfinished => None,
        }
    }
}

/// The reason that a suspended turn was not resumed. Its checkpoint waits as before, unless it does
/// not exist any more.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// The session has no store for checkpoints.
    #[error("there is no store for checkpoints; set `NewSession::checkpoints`")]
    NoStore,
    /// The checkpoint could not be claimed.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The checkpoint cannot be read.
    #[error("checkpoint {checkpoint} cannot be read: {cause}")]
    Unreadable {
        /// The checkpoint.
        checkpoint: CheckpointId,
        /// The cause.
        cause: String,
    },
    /// The session cannot be opened.
    #[error(transparent)]
    Session(SavedSessionError),
    /// The session has had a later turn, which resuming would remove.
    #[error(
        "checkpoint {checkpoint} is turn {turn} of session `{session}`, which has had {turns} turns \
         already; discard it with `portcullis approvals discard {checkpoint}`"
    )]
    SessionContinued {
        /// The checkpoint.
        checkpoint: CheckpointId,
        /// The session.
        session: String,
        /// The suspended turn, counted from 1.
        turn: u32,
        /// The number of turns of the saved session.
        turns: u32,
    },
    /// The workspace cannot be opened.
    #[error(transparent)]
    Workspace(SessionError),
    /// The hooks' state of the session cannot be read.
    #[error("the session cannot be opened: {0}")]
    State(#[source] StateStoreError),
    /// The record of the turn cannot be read.
    #[error("the session cannot be opened: {0}")]
    Unfinished(#[from] TurnStoreError),
    /// The turn is another agent's.
    #[error(
        "checkpoint {checkpoint} is a turn of agent `{agent}`, and this is `{here}`; resume it with \
         that agent"
    )]
    OtherAgent {
        /// The checkpoint.
        checkpoint: CheckpointId,
        /// The agent whose turn it is.
        agent: String,
        /// The agent that was to resume it.
        here: String,
    },
    /// The turn is a sub-agent's, which is resumed with its parent's.
    #[error(
        "checkpoint {checkpoint} is a sub-agent's; resume the checkpoint of its parent, in which its \
         calls have ids of the form `agent-call-id/call-id`"
    )]
    OfSubagent {
        /// The checkpoint.
        checkpoint: CheckpointId,
    },
    /// The agent does not have the tool of a call that was approved.
    #[error(
        "call `{call}` was approved, but this agent does not have its tool `{tool}`, or may not run it; resume the turn \
         with the tools and the policy that it began with (for `portcullis resume`: with the same agent.toml and the \
         options of its `portcullis run`, such as `--allow`), or deny the call with `portcullis approvals deny \
         {checkpoint} {call} --replace`, with the same `--store` or `--agent`"
    )]
    NoTool {
        /// The checkpoint.
        checkpoint: CheckpointId,
        /// The id of the call.
        call: String,
        /// Its tool.
        tool: String,
    },
    /// A resolution does not fit the waiting calls.
    #[error("{0}")]
    Resolutions(String),
    /// The session's token was cancelled before the turn was resumed.
    #[error("the session was cancelled before its turn was resumed")]
    Cancelled,
}

/// The reason that a session was not opened. The `session-end` hooks have run.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// The session cannot be restored.
    #[error(transparent)]
    Saved(#[from] SavedSessionError),
    /// The last turn of the session is suspended, and another turn would make it impossible to
    /// resume it.
    #[error(
        "a turn of session `{id}` is suspended; continue it with `portcullis resume {checkpoint}`, or \
         discard it with `portcullis approvals discard {checkpoint}`"
    )]
    Suspended {
        /// The session.
        id: String,
        /// Its checkpoint.
        checkpoint: CheckpointId,
    },
    /// A process has resumed the last turn of the session, and the turn has not ended. The process
    /// may be dead.
    #[error(
        "turn {turn} of session `{id}` was resumed {} s ago by process {} on host `{}`, and has not ended; if that \
         process is dead, release the turn with `portcullis approvals release {checkpoint}` and continue it with \
         `portcullis resume {checkpoint}`, or discard it with `portcullis approvals discard {checkpoint}`",
        seconds_since(by.at_ms), by.process, shown(&by.host)
    )]
    Claimed {
        /// The session.
        id: String,
        /// The turn's checkpoint.
        checkpoint: CheckpointId,
        /// The turn, counted from 1.
        turn: u32,
        /// The process that resumed it.
        by: Box<ClaimedBy>,
    },
    /// The suspended turns of the session cannot be read.
    #[error("the session cannot be opened: {0}")]
    Checkpoints(#[source] CheckpointError),
    /// A hook refused the session.
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
    /// The session names a workspace, but the agent has none.
    #[error(
        "the session names the workspace `{name}`, but the agent has no workspaces; add them with \
         `AgentBuilder::workspaces`"
    )]
    NoWorkspaces {
        /// The workspace.
        name: String,
    },
    /// The workspace cannot be opened.
    #[error(transparent)]
    Workspace(Arc<WorkspaceError>),
    /// The hooks' state of the session cannot be read.
    #[error("the session cannot be opened: {0}")]
    State(#[source] StateStoreError),
    /// The unfinished turn of another process cannot be read.
    #[error("the session cannot be opened: {0}")]
    Unfinished(#[from] TurnStoreError),
    /// The session was cancelled while it was opened.
    #[error("the session was cancelled while it was opened")]
    Cancelled,
}
