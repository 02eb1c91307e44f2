//! A session: one conversation, turn by turn.
//!
//! Each file is one part of the loop, in the order of seed 000: [`turn`] runs one turn, [`step`]
//! its steps, [`llm`] a guarded model call, [`tools`] the tool calls, [`compact`] the compaction.
//! All of them work on one [`Running`].

mod claim;
mod compact;
mod deltas;
mod edits;
mod go_on;
mod input;
mod llm;
mod memory;
mod messages;
mod new;
mod output;
mod plan;
mod points;
mod prompt;
mod refusal;
mod running;
mod snapshot;
mod steering;
mod step;
mod stopping;
mod subagent;
mod suspend;
mod tools;
mod turn;
mod turn_prompt;
mod workspace;

use std::collections::BTreeMap;
use std::sync::Arc;

use portcullis::contract::{Message, Usage};
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use self::claim::Claim;
pub(crate) use self::running::Above;
use self::running::Running;
use self::turn::Begin;
use crate::agent::Shared;
use crate::checkpoint::CheckpointId;
use crate::error::TurnError;
use crate::events::SessionEndReason;
use crate::suspension::Resolution;

pub(crate) use self::subagent::spec as subagent_spec;

pub use self::input::TurnInput;
pub use self::new::NewSession;
pub use self::steering::Steering;
pub use self::turn::{TurnEnd, TurnReport};
pub use crate::error::{ResumeError, SessionError};

/// A session: one conversation, turn by turn.
///
/// End it with [`AgentSession::close`]. Dropping it ends it too, as cancelled, but nobody waits for
/// the `session-end` hooks then; [`Agent::drain`](crate::Agent::drain) does. A session whose turn is suspended does not end when it is closed or
/// dropped: it goes on from its checkpoint.
pub struct AgentSession {
    /// Nothing once the session has ended.
    running: Option<Box<Running>>,
    cancel: CancellationToken,
}

impl AgentSession {
    /// Opens a session of an agent, below its parents where it is a sub-agent.
    pub(crate) async fn open(
        shared: Arc<Shared>,
        new: NewSession,
        above: Above,
    ) -> Result<Self, SessionError> {
        let cancel = new.cancel.clone();
        let running = Box::new(Running::new(shared, new, above));
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
                SessionError::Hook(_)
                | SessionError::NoWorkspaces { .. }
                | SessionError::Workspace(_) => SessionEndReason::Failed,
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
    /// cancelled leaves the conversation and the agent's state as they were before it, but for a
    /// summary that older messages gave way to; what tools have done stays done.
    ///
    /// Once a turn is being suspended, cancelling comes too late: it is suspended then. If this
    /// future is dropped just then, look for the checkpoint in the store; the session takes no more
    /// turns.
    ///
    /// # Errors
    ///
    /// The turn failed, and no `turn-error` hook recovered it.
    pub async fn turn(&mut self, input: impl Into<TurnInput>) -> Result<TurnEnd, TurnError> {
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
    ) -> Result<TurnEnd, TurnError> {
        self.begin(Begin::Said(input.into().0), cancel).await
    }

    async fn begin(
        &mut self,
        begin: Begin,
        cancel: CancellationToken,
    ) -> Result<TurnEnd, TurnError> {
        let session_cancel = self.cancel.clone();
        let Some(running) = self.running.as_mut() else {
            return Err(TurnError::Cancelled);
        };
        if running.is_left() {
            return Err(TurnError::Left);
        }
        running
            .turn(begin, async move {
                tokio::select! {
                    () = cancel.cancelled() => {}
                    () = session_cancel.cancelled() => {}
                }
            })
            .await
    }

    /// Goes on with a suspended turn.
    pub(crate) async fn resume(
        shared: Arc<Shared>,
        new: NewSession,
        above: Above,
        checkpoint: CheckpointId,
        resolutions: BTreeMap<String, Resolution>,
    ) -> Result<(Self, Result<TurnEnd, TurnError>), ResumeError> {
        let cancel = new.cancel.clone();
        let (claim, snapshot) =
            Claim::take(&shared, &new, &above.agents, checkpoint, &resolutions).await?;
        let new = NewSession {
            id: snapshot.session.clone(),
            user: snapshot.user.clone(),
            working_dir: snapshot.working_dir.as_ref().map(Into::into),
            parent: snapshot.parent.clone(),
            workspace: snapshot.workspace.clone(),
            metadata: snapshot.metadata.clone(),
            state: snapshot.state.clone(),
            ..new
        };
        let mut running = Box::new(Running::new(shared, new, above));
        if let Err(error) = running.open_workspace().await {
            claim.put_back().await?;
            return Err(ResumeError::Workspace(error));
        }
        let resumed = running.restore(snapshot, claim.id().clone(), resolutions);
        let mut session = Self {
            running: Some(running),
            cancel: cancel.clone(),
        };
        let ended = session
            .begin(Begin::Resumed(Box::new(resumed)), cancel.child_token())
            .await;
        claim.used().await;
        Ok((session, ended))
    }

    /// Says something to the agent in the middle of a turn. Clone it before the turn.
    pub fn steering(&self) -> Steering {
        let running = self.running.as_ref();
        running.map_or_else(Steering::default, |running| running.steering.clone())
    }

    /// The agent's state, as tools left it.
    pub fn state(&self) -> Map<String, Value> {
        let running = self.running.as_ref();
        running.map_or_else(Map::new, |running| running.views.state.values.clone())
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
        if let Some(mut running) = self.running.take()
            && !running.is_left()
        {
            running.end(reason).await;
        }
    }
}

impl Drop for AgentSession {
    fn drop(&mut self) {
        let Some(mut running) = self.running.take().filter(|running| !running.is_left()) else {
            return;
        };
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) => {
                let shared = running.shared.clone();
                let ending =
                    runtime.spawn(async move { running.end(SessionEndReason::Cancelled).await });
                shared.endings.push(ending);
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
