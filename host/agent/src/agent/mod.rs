//! An agent: everything that its sessions share.

mod builder;
mod context;

use std::sync::Arc;
use std::time::{Duration, Instant};

use portcullis::ToolCatalog;

pub use builder::{AgentBuilder, BuildError};
pub use context::AgentContext;

use crate::jobs::Asides;
use crate::prompt::Preflight;
use crate::session::{AgentSession, NewSession, SessionError};

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
    pub(crate) preflight: Arc<dyn Preflight>,
    pub(crate) asides: Asides,
    /// The provider and the model that are called first.
    pub(crate) provider: String,
    pub(crate) model: String,
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
        AgentSession::open(self.shared.clone(), new).await
    }

    /// Waits for the hook runs that nobody waits for otherwise, and for the jobs they leave, for no
    /// longer than this. Gives how many have not ended; they are lost if the process ends now.
    pub async fn drain(&self, within: Duration) -> usize {
        let started = Instant::now();
        // Runs first: they may leave jobs.
        let runs = self.context().hooks.drain(within).await;
        let left = within.saturating_sub(started.elapsed());
        runs + self.shared.asides.jobs.drain(left).await
    }
}

impl std::fmt::Debug for Agent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Agent")
            .field("context", self.context())
            .finish_non_exhaustive()
    }
}
