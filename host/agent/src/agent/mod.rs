//! The agent, which opens sessions.

mod builder;
mod reloads;
mod subagent;
mod workspaces;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

pub use builder::{AgentBuilder, BuildError};

use crate::checkpoint::{CheckpointId, Resolution};
use crate::exchange::{NewSession, ResumeError, SessionError, TurnEnd, TurnError};
use crate::jobs::JobStoreError;
use crate::session::AgentSession;
use crate::shared::{AgentContext, Parents, Shared};

/// An agent. Cheap to clone; sessions are opened from it.
#[derive(Clone)]
pub struct Agent {
    shared: Arc<Shared>,
}

impl Agent {
    /// Returns a builder for an agent. Only a provider is required.
    pub fn builder() -> AgentBuilder {
        AgentBuilder::default()
    }

    /// Returns the agent's components.
    pub fn context(&self) -> &AgentContext {
        &self.shared.context
    }

    /// Opens a session: runs the `session-start` hooks and returns the session, ready for turns.
    ///
    /// # Errors
    ///
    /// A hook refused the session, or a hook that must not fail failed. The `session-end` hooks
    /// have run.
    pub async fn session(&self, new: NewSession) -> Result<AgentSession, SessionError> {
        AgentSession::open(self.shared.clone(), new, Parents::default()).await
    }

    /// Resumes a suspended turn, in this or another process. The checkpoint is claimed, so the turn
    /// is resumed once. The session is restored from its checkpoint; `new` provides only the
    /// approver, the store for checkpoints, the steering and the token. If `new` names a user, the
    /// session's user must be the same. The answers that the checkpoint [has
    /// recorded](crate::CheckpointStore::resolve) are added to the resolutions. If the [time for
    /// answers](NewSession::answer_within) is over, the other calls are denied. Otherwise calls
    /// without a resolution continue to wait, and the turn is suspended again.
    ///
    /// Returns the session, which can run more turns, and the end of the turn. The checkpoint is
    /// then removed, even if the turn failed or was cancelled. Dropping the future cancels the
    /// turn. If the process dies, or the turn was [interrupted](TurnError::Interrupted), the
    /// checkpoint stays claimed: see [`CheckpointStore::claimed`](crate::CheckpointStore::claimed).
    ///
    /// # Errors
    ///
    /// The checkpoint is unknown, claimed, unreadable, another agent's or another user's. Or a
    /// resolution does not fit a waiting call, differs from the recorded one, or is too late. The
    /// checkpoint then waits as before. A failure of the turn itself is the inner result.
    pub async fn resume(
        &self,
        checkpoint: CheckpointId,
        resolutions: BTreeMap<String, Resolution>,
        new: NewSession,
    ) -> Result<(AgentSession, Result<TurnEnd, TurnError>), ResumeError> {
        self.resume_until(checkpoint, resolutions, new, CancellationToken::new())
            .await
    }

    /// Resumes a suspended turn, which an additional token also cancels.
    ///
    /// # Errors
    ///
    /// See [`Agent::resume`].
    pub async fn resume_until(
        &self,
        checkpoint: CheckpointId,
        resolutions: BTreeMap<String, Resolution>,
        new: NewSession,
        cancel: CancellationToken,
    ) -> Result<(AgentSession, Result<TurnEnd, TurnError>), ResumeError> {
        let (shared, parents) = (self.shared.clone(), Parents::default());
        AgentSession::resume(shared, new, parents, checkpoint, resolutions, cancel).await
    }

    /// Resumes the unfinished jobs, of this agent and its sub-agents, whose processes ended. Jobs
    /// that were started [`MAX_JOB_ATTEMPTS`](crate::MAX_JOB_ATTEMPTS) times are reported as
    /// skipped. Subscribe to the events before. Returns when the jobs are queued.
    ///
    /// # Errors
    ///
    /// The store of jobs failed.
    pub async fn resume_jobs(&self) -> Result<(), JobStoreError> {
        for agent in self.family() {
            agent.jobs.resume(&self.shared.context.events).await?;
        }
        Ok(())
    }

    /// Waits for the `session-end` hooks of dropped sessions, for detached hook runs and their
    /// jobs, including those of sub-agents, and until hooks' state is in its store, but not longer
    /// than this. Returns the number that have not ended; they are lost if the process ends now.
    pub async fn drain(&self, within: Duration) -> usize {
        let started = Instant::now();
        let left = || within.saturating_sub(started.elapsed());
        let agents = self.family();
        let mut unfinished = 0;
        // In this order: endings run hooks, and hooks queue jobs.
        for agent in &agents {
            unfinished += agent.endings.drain(left()).await;
        }
        for agent in &agents {
            unfinished += agent.context.hooks.drain(left()).await;
        }
        // Before the jobs, which run no hooks and may take all the time that is left.
        for agent in &agents {
            let flushed = tokio::time::timeout(left(), agent.context.hooks.flush_state()).await;
            if !matches!(flushed, Ok(Ok(()))) {
                unfinished += 1;
            }
        }
        for agent in &agents {
            unfinished += agent.jobs.drain(left()).await;
        }
        unfinished
    }

    /// Returns the number of background jobs of the agent and its sub-agents that have not ended.
    pub fn unfinished_jobs(&self) -> usize {
        let agents = self.family();
        agents.iter().map(|agent| agent.jobs.count()).sum()
    }

    /// Returns the agent and its sub-agents, parents first.
    fn family(&self) -> Vec<&Shared> {
        let mut agents = vec![&*self.shared];
        let mut next = 0;
        while let Some(agent) = agents.get(next).copied() {
            agents.extend(agent.subagents.values().map(|child| &**child.shared()));
            next += 1;
        }
        agents
    }
}

impl std::fmt::Debug for Agent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Agent")
            .field("context", self.context())
            .finish_non_exhaustive()
    }
}
