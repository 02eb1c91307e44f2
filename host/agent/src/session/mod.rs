//! A session: one conversation, turn by turn.
//!
//! Each file is one part of the loop, in the order of seed 000: [`turn`] runs one turn, [`step`]
//! its steps, [`llm`] a guarded model call, [`tools`] the tool calls, [`compact`] the compaction.
//! All of them work on one [`Running`].

mod compact;
mod deltas;
mod execute;
mod input;
mod llm;
mod memory;
mod new;
mod output;
mod plan;
mod points;
mod prompt;
mod refusal;
mod running;
mod step;
mod tools;
mod turn;
mod turn_prompt;

use std::sync::Arc;

use portcullis::contract::{Message, Usage};
use tokio_util::sync::CancellationToken;

use self::running::Running;
use crate::agent::Shared;
use crate::error::TurnError;
use crate::events::SessionEndReason;

pub use self::input::TurnInput;
pub use self::new::NewSession;
pub use self::turn::TurnReport;
pub use crate::error::SessionError;

/// A session: one conversation, turn by turn.
///
/// End it with [`AgentSession::close`]. Dropping it ends it too, as cancelled, but nobody waits for
/// the `session-end` hooks then.
pub struct AgentSession {
    /// Nothing once the session has ended.
    running: Option<Box<Running>>,
    cancel: CancellationToken,
}

impl AgentSession {
    pub(crate) async fn open(shared: Arc<Shared>, new: NewSession) -> Result<Self, SessionError> {
        let cancel = new.cancel.clone();
        let running = Box::new(Running::new(shared, new));
        // From here on, also a dropped future ends the session.
        let mut session = Self {
            running: Some(running),
            cancel: cancel.clone(),
        };
        let Some(running) = session.running.as_mut() else {
            return Err(SessionError::Cancelled);
        };
        let started = tokio::select! {
            biased;
            () = cancel.cancelled() => Err(SessionError::Cancelled),
            started = running.start() => started,
        };
        if let Err(error) = started {
            let reason = match &error {
                SessionError::Rejected { .. } => SessionEndReason::Rejected,
                SessionError::Hook(_) => SessionEndReason::Failed,
                SessionError::Cancelled => SessionEndReason::Cancelled,
            };
            session.end(reason).await;
            return Err(error);
        }
        Ok(session)
    }

    /// Runs one turn, from what the user says to its output.
    ///
    /// Cancelling the session's token, or dropping this future, ends the turn wherever it is: the
    /// model's stream is dropped, tools are stopped, hooks are thrown away. A turn that fails or is
    /// cancelled leaves the conversation as it was before it; what tools have done stays done.
    ///
    /// # Errors
    ///
    /// The turn failed, and no `turn-error` hook recovered it.
    pub async fn turn(&mut self, input: impl Into<TurnInput>) -> Result<TurnReport, TurnError> {
        let cancel = self.cancel.child_token();
        self.turn_until(input, cancel).await
    }

    /// The same, ended also by a token of its own.
    ///
    /// # Errors
    ///
    /// See [`AgentSession::turn`].
    pub async fn turn_until(
        &mut self,
        input: impl Into<TurnInput>,
        cancel: CancellationToken,
    ) -> Result<TurnReport, TurnError> {
        let session_cancel = self.cancel.clone();
        let Some(running) = self.running.as_mut() else {
            return Err(TurnError::Cancelled);
        };
        running
            .turn(input.into().0, async move {
                tokio::select! {
                    () = cancel.cancelled() => {}
                    () = session_cancel.cancelled() => {}
                }
            })
            .await
    }

    /// The session's id.
    pub fn id(&self) -> &str {
        self.running.as_ref().map_or("", |running| running.id())
    }

    /// The messages so far.
    pub fn conversation(&self) -> &[Message] {
        self.running
            .as_ref()
            .map_or(&[], |running| running.conversation.as_slice())
    }

    /// What all model calls of the session used.
    pub fn usage(&self) -> Usage {
        self.running
            .as_ref()
            .map_or(self::running::NO_USAGE, |running| running.usage)
    }

    /// The token that cancels the session: the turn that runs, and all later ones.
    pub fn cancel_token(&self) -> CancellationToken {
        self.cancel.clone()
    }

    /// Ends the session and waits for the `session-end` hooks. Its reason is `closed`, or
    /// `cancelled` if its token was cancelled.
    pub async fn close(self) {
        let reason = if self.cancel.is_cancelled() {
            SessionEndReason::Cancelled
        } else {
            SessionEndReason::Closed
        };
        self.close_as(reason).await;
    }

    /// The same with another reason, such as `failed` after a turn that the embedder cannot go on
    /// from.
    pub async fn close_as(mut self, reason: SessionEndReason) {
        self.end(reason).await;
    }

    async fn end(&mut self, reason: SessionEndReason) {
        // Taken first: the end fires once, also if this future is dropped within it.
        if let Some(mut running) = self.running.take() {
            running.end(reason).await;
        }
    }
}

impl Drop for AgentSession {
    fn drop(&mut self) {
        let Some(mut running) = self.running.take() else {
            return;
        };
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) => {
                runtime.spawn(async move { running.end(SessionEndReason::Cancelled).await });
            }
            Err(_) => tracing::warn!(
                session = running.id(),
                "a session was dropped outside of a runtime: its session-end hooks did not run"
            ),
        }
    }
}

impl std::fmt::Debug for AgentSession {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AgentSession")
            .field("id", &self.id())
            .field("messages", &self.conversation().len())
            .finish_non_exhaustive()
    }
}
