//! A session: one conversation, turn by turn.
//!
//! # Rooms
//!
//! All parts of the loop work on one [`SessionState`](state::SessionState). A module imports only
//! from rows above its own; modules of one row do not import each other. `tests/rooms.rs` checks it.
//!
//! | room | holds |
//! | --- | --- |
//! | [`state`] | the conversation, the usage, the prompt; calls no hook |
//! | [`fire`] | calling the hooks of a point, emitting events, adding messages |
//! | [`model`], [`tools`] | a guarded model call; the tool calls of a response |
//! | [`compaction`], [`recording`], [`saving`], [`suspension`] | summarising the conversation; the record of a turn; saved sessions; checkpoints |
//! | [`resources`] | what a session holds: its workspace, its hooks' state, its claim |
//! | [`step`] | the steps of a turn |
//! | [`turn`] | one turn |
//! | [`lifecycle`] | the start and the end of a session |
//! | [`reopening`] | opening the session of a suspended turn |

mod compaction;
mod fire;
mod lifecycle;
mod model;
mod recording;
mod reopening;
mod resources;
mod saving;
mod state;
mod step;
mod suspension;
mod tools;
mod turn;

use std::collections::BTreeMap;
use std::sync::Arc;

use portcullis::Hooks;
use portcullis::contract::{ContentPart, Message, Usage};
use portcullis::trace::TraceContext;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use self::recording::Began;
use self::reopening::Reopened;
pub(crate) use self::state::NO_USAGE;
use self::state::SessionState;
use self::suspension::Claim;
pub use self::suspension::discard_suspended;
pub(crate) use self::tools::subagent_spec;
use self::turn::{Begin, Resumed};
use crate::checkpoint::{CheckpointId, Resolution};
use crate::effects::{EffectsError, Scope};
use crate::events::SessionEndReason;
use crate::exchange::{
    NewSession, ResumeError, SessionError, Steering, TurnEnd, TurnError, TurnInput,
};
use crate::shared::{Parents, Shared};

/// A session: one conversation, turn by turn.
///
/// Close it with [`AgentSession::close`]. Dropping it also ends it, as cancelled; its `session-end`
/// hooks then run in the background, and [`Agent::drain`](crate::Agent::drain) waits for them. A
/// session whose turn is suspended does not end when it is closed or dropped: the turn is resumed
/// from its checkpoint.
pub struct AgentSession {
    /// `None` once the session has ended.
    state: Option<Box<SessionState>>,
    cancel: CancellationToken,
    park: CancellationToken,
}

impl AgentSession {
    /// Opens a session of an agent.
    pub(crate) async fn open(
        shared: Arc<Shared>,
        new: NewSession,
        parents: Parents,
    ) -> Result<Self, SessionError> {
        let (cancel, park, ended) = (new.cancel.clone(), new.park.clone(), new.ended());
        let begun = new.begun;
        // From here on the session ends even if this future is dropped.
        let mut session = Self {
            state: Some(Box::new(SessionState::new(shared, new, parents))),
            cancel,
            park,
        };
        let Some(state) = session.state.as_mut() else {
            return Err(SessionError::Cancelled);
        };
        let started = tokio::select! {
            biased;
            () = ended => Err(SessionError::Cancelled),
            started = async {
                saving::open(state).await?;
                recording::find(state).await?;
                let resumed = recording::resumed_from(state);
                suspension::check_none_waits(state, resumed.as_ref()).await?;
                let opened = resources::open_hooks_state(state).await;
                opened.map_err(SessionError::State)?;
                match begun {
                    true => resources::open_workspace(state).await,
                    false => lifecycle::start(state).await,
                }
            } => started,
        };
        if let Err(error) = started {
            let reason = match &error {
                SessionError::Rejected { .. } => SessionEndReason::Rejected,
                SessionError::Hook(_)
                | SessionError::State(_)
                | SessionError::NoWorkspaces { .. }
                | SessionError::Saved(_)
                | SessionError::Suspended { .. }
                | SessionError::Claimed { .. }
                | SessionError::Checkpoints(_)
                | SessionError::Unfinished(_)
                | SessionError::Workspace(_) => SessionEndReason::Failed,
                SessionError::Cancelled => SessionEndReason::Cancelled,
            };
            session.end(reason).await;
            return Err(error);
        }
        Ok(session)
    }

    /// Runs one turn, from the user's input to its output.
    ///
    /// Cancelling the session's token, or dropping this future, cancels the turn at any point: the
    /// model's stream is dropped, and tools and hooks are stopped. After a failed or cancelled
    /// turn, the conversation and the agent's state are the same as before, except that a summary
    /// of older messages stays. The work of tools is not undone.
    ///
    /// A turn that is being suspended cannot be cancelled. If this future is dropped meanwhile, the
    /// checkpoint is in the store, and the session runs no more turns.
    ///
    /// # Errors
    ///
    /// The turn failed, and no `turn-error` hook recovered it.
    pub async fn turn(&mut self, input: impl Into<TurnInput>) -> Result<TurnEnd, TurnError> {
        let cancel = self.cancel.child_token();
        self.turn_until(input, cancel).await
    }

    /// Runs one turn without new input: the model continues from the current conversation. The
    /// `pre-turn` hooks run, with empty content, and may add content.
    ///
    /// # Errors
    ///
    /// See [`AgentSession::turn`].
    pub async fn continue_turn(&mut self) -> Result<TurnEnd, TurnError> {
        self.turn(Vec::new()).await
    }

    /// Runs one turn, which an additional token also cancels.
    ///
    /// # Errors
    ///
    /// See [`AgentSession::turn`].
    pub async fn turn_until(
        &mut self,
        input: impl Into<TurnInput>,
        cancel: CancellationToken,
    ) -> Result<TurnEnd, TurnError> {
        // Removes the hooks of a turn whose future was dropped.
        self.remove_turn_hooks();
        self.begin(Begin::Said(input.into().0), cancel).await
    }

    /// Runs one turn with additional hooks. They run before the session's hooks, also in the
    /// sub-agents that the turn starts, and their state is dropped with the turn.
    ///
    /// The turn is not suspended, since it would be resumed without these hooks: deferred questions
    /// are denied, and client tools fail.
    ///
    /// # Errors
    ///
    /// See [`AgentSession::turn`].
    pub async fn turn_with(
        &mut self,
        input: impl Into<TurnInput>,
        hooks: &Hooks,
    ) -> Result<TurnEnd, TurnError> {
        if let Some(state) = self.state.as_mut() {
            state.set_turn_hooks(Some(hooks.clone()));
        }
        let cancel = self.cancel.child_token();
        let ended = self.begin(Begin::Said(input.into().0), cancel).await;
        self.remove_turn_hooks();
        ended
    }

    /// Removes the hooks of a turn. A sub-agent keeps the hooks of its parent's turn.
    fn remove_turn_hooks(&mut self) {
        if let Some(state) = self.state.as_mut()
            && state.turn_hooks.is_some()
            && state.ancestry.parents.is_empty()
        {
            state.set_turn_hooks(None);
        }
    }

    /// Returns the user's input of the turn that another process did not end, if there is one: see
    /// [`NewSession::turns`].
    pub fn unfinished(&self) -> Option<Vec<ContentPart>> {
        match recording::unfinished(self.state.as_ref()?)? {
            Began::Said(said) | Began::Resumed { said, .. } => Some(said),
        }
    }

    /// Runs the unfinished turn of another process again. Recorded effects are not repeated: no
    /// hook, model or tool is called for them. `None` if there is no unfinished turn.
    ///
    /// # Errors
    ///
    /// See [`AgentSession::turn`]. [`TurnError::Interrupted`] contains the reason that the turn
    /// cannot be finished here; its record is then unchanged.
    pub async fn finish_turn(
        &mut self,
        cancel: CancellationToken,
    ) -> Option<Result<TurnEnd, TurnError>> {
        self.remove_turn_hooks();
        let state = self.state.as_mut()?;
        Some(match recording::unfinished(state)? {
            Began::Said(said) => {
                recording::resume(state)?;
                self.begin(Begin::Continued(said), cancel).await
            }
            Began::Resumed {
                checkpoint,
                resolutions,
                ..
            } => match reopening::restore(state, checkpoint, resolutions).await {
                Ok((claim, turn)) => self.begin_claimed(claim, turn, cancel).await,
                Err(error) => Err(EffectsError::Checkpoint(error.to_string()).into()),
            },
        })
    }

    /// Discards the unfinished turn of another process, with the checkpoint that it was resumed
    /// from. The work of its tools is not undone.
    pub async fn discard_unfinished(&mut self) {
        if let Some(state) = self.state.as_mut() {
            let resumed = recording::resumed_from(state);
            recording::discard_unfinished(state).await;
            if let Some(checkpoint) = resumed {
                suspension::discard_resumed(state, checkpoint).await;
            }
        }
    }

    async fn begin(
        &mut self,
        begin: Begin,
        cancel: CancellationToken,
    ) -> Result<TurnEnd, TurnError> {
        let session_cancel = self.cancel.clone();
        let Some(state) = self.state.as_mut() else {
            return Err(TurnError::Cancelled);
        };
        if state.suspended.get() {
            return Err(TurnError::Suspended);
        }
        if let Begin::Said(_) = begin {
            if state.unfinished.is_some() {
                return Err(TurnError::Unfinished);
            }
            // Ends the record of a turn whose future was dropped.
            recording::end(state).await;
        }
        let cancelled = async move {
            tokio::select! {
                () = cancel.cancelled() => {}
                () = session_cancel.cancelled() => {}
            }
        };
        turn::run(state, begin, cancelled, &self.park).await
    }

    /// Resumes a suspended turn.
    pub(crate) async fn resume(
        shared: Arc<Shared>,
        new: NewSession,
        parents: Parents,
        checkpoint: CheckpointId,
        resolutions: BTreeMap<String, Resolution>,
        cancel_turn: CancellationToken,
    ) -> Result<(Self, Result<TurnEnd, TurnError>), ResumeError> {
        let (cancel, park) = (new.cancel.clone(), new.park.clone());
        let reopening =
            reopening::reopen(shared, new, parents, checkpoint, resolutions, &cancel_turn);
        let Reopened { state, claim, turn } = reopening.await?;
        let mut session = Self {
            state: Some(state),
            cancel,
            park,
        };
        let ended = session.begin_claimed(claim, turn, cancel_turn).await;
        Ok((session, ended))
    }

    async fn begin_claimed(
        &mut self,
        mut claim: Claim,
        turn: Resumed,
        cancel: CancellationToken,
    ) -> Result<TurnEnd, TurnError> {
        let state = self.state.as_ref();
        let resumed = state.map(|state| state.resumed_children.clone());
        claim.begin(resumed.unwrap_or_default());
        let ended = self.begin(Begin::Resumed(Box::new(turn)), cancel).await;
        match (&ended, self.state.as_mut()) {
            (Ok(_), _) => claim.end().await,
            (Err(TurnError::Interrupted(_)), Some(state)) if !state.suspended.get() => {
                // The turn's record could not begin, so the checkpoint waits as before.
                state.suspended.set(true);
                resources::release(state).await;
                if let Err(error) = claim.release().await {
                    tracing::warn!("{error}");
                }
            }
            // The turn's record needs the checkpoint, which does not wait, since its tools may have
            // run.
            (Err(TurnError::Interrupted(_)), _) => claim.leave(),
            (Err(_), _) => claim.discard().await,
        }
        ended
    }

    /// Makes the next turns part of a span, such as that of the request that they answer. Without a
    /// span, they are part of the session's span, or begin their own traces.
    pub fn set_trace(&mut self, trace: Option<TraceContext>) {
        if let Some(state) = self.state.as_mut() {
            state.trace.of_turns = trace;
        }
    }

    /// Returns the queue of user messages, which are read during a turn. Call it before the turn.
    pub fn steering(&self) -> Steering {
        let state = self.state.as_ref();
        state.map_or_else(Steering::default, |state| state.steering.clone())
    }

    /// Returns the agent's state.
    pub fn state(&self) -> Map<String, Value> {
        let state = self.state.as_ref();
        state.map_or_else(Map::new, |state| state.state.values())
    }

    /// Returns the session's id.
    pub fn id(&self) -> &str {
        self.state.as_ref().map_or("", |state| state.id())
    }

    /// Returns the messages so far.
    pub fn conversation(&self) -> &[Message] {
        self.state
            .as_ref()
            .map_or(&[], |state| state.conversation.messages())
    }

    /// Returns the usage of all model calls of the session.
    pub fn usage(&self) -> Usage {
        self.state
            .as_ref()
            .map_or(NO_USAGE, |state| state.usage.session())
    }

    /// Returns the token that cancels the session: the running turn and all later ones.
    pub fn cancel_token(&self) -> CancellationToken {
        self.cancel.clone()
    }

    /// Ends the session and waits for the `session-end` hooks. The reason is `closed`, or
    /// `cancelled` if the session's token was cancelled or the session was parked.
    pub async fn close(self) {
        let reason = if self.cancel.is_cancelled() || self.park.is_cancelled() {
            SessionEndReason::Cancelled
        } else {
            SessionEndReason::Closed
        };
        self.close_as(reason).await;
    }

    /// Ends the session with another reason, such as `failed` after a turn that the embedder cannot
    /// continue from.
    pub async fn close_as(mut self, reason: SessionEndReason) {
        self.end(reason).await;
    }

    /// Releases the session for the next process that opens it with
    /// [`NewSession::begun`](crate::NewSession::begun). No `session-end` hook runs.
    pub async fn release(mut self) {
        if let Some(mut state) = self.take_open() {
            state.flush_hooks_state().await;
            resources::release(&mut state).await;
        }
    }

    async fn end(&mut self, reason: SessionEndReason) {
        // Taken first: the session ends once, even if this future is dropped.
        if let Some(mut state) = self.take_open() {
            lifecycle::end(&mut state, reason).await;
        }
    }

    /// Takes the state, unless the session has ended or its turn is suspended.
    fn take_open(&mut self) -> Option<Box<SessionState>> {
        self.state.take().filter(|state| !state.suspended.get())
    }
}

impl Drop for AgentSession {
    fn drop(&mut self) {
        let Some(mut state) = self.take_open() else {
            return;
        };
        // A sub-agent's session ends with its parent's turn, whose record is not continued.
        state.effects = Scope::default();
        if !state.ancestry.parents.is_empty() {
            // The parent's turn may be run again. When it is over, it discards these checkpoints.
            state.leave_restored_children();
        }
        let (shared, id) = (state.shared.clone(), state.id().to_owned());
        let ends = shared.endings.spawn(async move {
            lifecycle::end(&mut state, SessionEndReason::Cancelled).await;
        });
        if let Err(error) = ends {
            tracing::warn!(session = id, "the session-end hooks did not run: {error}");
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
