//! An agent: everything that its sessions share.

mod builder;
mod context;
mod endings;
mod reloads;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use portcullis::{Listening, SessionOptions, ToolCatalog};

pub use builder::{AgentBuilder, BuildError};
pub use context::AgentContext;
pub(crate) use reloads::texts as load_error_texts;

use self::endings::Endings;

use crate::checkpoint::CheckpointId;
use crate::error::{ResumeError, TurnError};
use crate::events::AgentSink;
use crate::jobs::Jobs;
use crate::journal::Journal;
use crate::prompt::Preflight;
use crate::session::{Above, AgentSession, NewSession, SessionError, TurnEnd};
use crate::suspension::Resolution;
use crate::workspace::{WORKSPACE_SESSION, WorkspaceHooks, Workspaces};

/// Adds hooks that are no components to every session.
pub(crate) type Prepare = dyn Fn(&mut portcullis::Session) + Send + Sync;

/// An agent. Cheap to clone; sessions are opened from it.
#[derive(Clone)]
pub struct Agent {
    pub(crate) shared: Arc<Shared>,
}

/// What an agent's sessions share.
pub(crate) struct Shared {
    pub(crate) context: AgentContext,
    pub(crate) catalog: Arc<ToolCatalog>,
    pub(crate) prepare: Option<Box<Prepare>>,
    /// The sub-agents, by the name of the tool that starts them.
    pub(crate) subagents: BTreeMap<String, Agent>,
    /// The tools that the client runs.
    pub(crate) client_tools: BTreeSet<String>,
    /// The tools whose result ends the turn.
    pub(crate) finish_tools: BTreeSet<String>,
    pub(crate) journal: Option<Journal>,
    /// Its sessions that were dropped.
    pub(crate) endings: Endings,
    pub(crate) preflight: Arc<dyn Preflight>,
    pub(crate) jobs: Arc<Jobs>,
    pub(crate) workspaces: Option<Workspaces>,
    /// Those who tell subscribers of hooks that were loaded again.
    pub(crate) _reloads: Vec<Listening>,
    /// The provider and the model that are called first.
    pub(crate) provider: String,
    pub(crate) model: String,
}

impl Shared {
    /// Adds the hooks that every session has of its own.
    pub(crate) fn prepare(&self, hooks: &mut portcullis::Session) {
        if let Some(prepare) = &self.prepare {
            prepare(hooks);
        }
    }
}

impl Shared {
    /// Tells the agent's hooks what happens to its workspaces.
    fn observe_workspaces(&self) {
        let Some(workspaces) = &self.workspaces else {
            return;
        };
        let AgentContext {
            hooks,
            events,
            config,
            ..
        } = &self.context;
        let sink = AgentSink::new(WORKSPACE_SESSION, events.clone(), self.journal.clone());
        let mut hooks = hooks.session(SessionOptions {
            sink: Arc::new(sink),
            ..SessionOptions::new(WORKSPACE_SESSION)
        });
        self.prepare(&mut hooks);
        let hooks = WorkspaceHooks::new(config.name.clone(), hooks, events.clone());
        // The workspaces keep the observer for as long as they live.
        let _ = workspaces.clone().observed_by(Arc::new(hooks));
    }
}

impl Agent {
    /// An agent with nothing in it yet; a provider is all it needs.
    pub fn builder() -> AgentBuilder {
        AgentBuilder::default()
    }

    /// What the agent is made of.
    pub fn context(&self) -> &AgentContext {
        &self.shared.context
    }

    /// Opens a session: runs the `session-start` hooks and gives back what turns are run on.
    ///
    /// # Errors
    ///
    /// A hook refused the session, or a hook that must not fail failed. The `session-end` hooks
    /// have run then.
    pub async fn session(&self, new: NewSession) -> Result<AgentSession, SessionError> {
        AgentSession::open(self.shared.clone(), new, Above::default()).await
    }

    /// Goes on with a suspended turn, in this process or another: the checkpoint is claimed, so that
    /// it goes on once. What the session is and was stands in the checkpoint; of `new`, what is
    /// taken is whom hooks ask, where checkpoints are kept, the steering and the token. Calls that
    /// are given no resolution go on waiting, and the turn is suspended again.
    ///
    /// Gives the session, on which more turns can be run, and how the turn ended. From then on the
    /// checkpoint is gone, also where the turn failed or was cancelled; dropping the future cancels
    /// it. If the process dies, the checkpoint stays claimed: see
    /// [`CheckpointStore::claimed`](crate::CheckpointStore::claimed).
    ///
    /// # Errors
    ///
    /// The checkpoint is unknown, claimed, unreadable or another agent's, or a resolution is not for
    /// a call that waits for it; it waits as before then. The turn's own failure stands in the inner
    /// result.
    pub async fn resume(
        &self,
        checkpoint: CheckpointId,
        resolutions: BTreeMap<String, Resolution>,
        new: NewSession,
    ) -> Result<(AgentSession, Result<TurnEnd, TurnError>), ResumeError> {
        let shared = self.shared.clone();
        AgentSession::resume(shared, new, Above::default(), checkpoint, resolutions).await
    }

    /// Waits for the sessions that were dropped to end, for the hook runs that nobody waits for
    /// otherwise, and for the jobs they leave, those of sub-agents included, for no longer than this.
    /// Gives how many have not ended; they are lost if the process ends now.
    pub async fn drain(&self, within: Duration) -> usize {
        let started = Instant::now();
        let left = || within.saturating_sub(started.elapsed());
        let mut agents = vec![self];
        let mut next = 0;
        while let Some(agent) = agents.get(next).copied() {
            agents.extend(agent.shared.subagents.values());
            next += 1;
        }
        let mut unfinished = 0;
        // Ends first: they may run hooks.
        for agent in &agents {
            unfinished += agent.shared.endings.drain(left()).await;
        }
        // Runs before jobs: they may leave some.
        for agent in &agents {
            unfinished += agent.context().hooks.drain(left()).await;
        }
        for agent in &agents {
            unfinished += agent.shared.jobs.drain(left()).await;
        }
        unfinished
    }
}

impl std::fmt::Debug for Agent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Agent")
            .field("context", self.context())
            .finish_non_exhaustive()
    }
}
