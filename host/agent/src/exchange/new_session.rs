//! Options for opening a session.

use std::fmt;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use portcullis::approval::{Approver, DenyAll};
use portcullis::contract::Message;
use portcullis::trace::TraceContext;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::Steering;
use crate::basics::units::now_ms;
use crate::checkpoint::CheckpointStore;
use crate::effects::TurnStore;
use crate::saved::SessionStore;

/// Options for opening a session. `NewSession::default()` has no user and no history.
#[derive(Clone)]
pub struct NewSession {
    /// The session's id, unique in the host. Default: a new one.
    pub id: String,
    /// The user. Default: none.
    pub user: Option<String>,
    /// The directory the agent works in, as hooks see it. Where tools run is set by the policy.
    /// Default: none.
    pub working_dir: Option<PathBuf>,
    /// The session that starts this one as a sub-agent's. Default: none.
    pub parent: Option<String>,
    /// Additional facts for hooks. Default: none.
    pub metadata: Vec<(String, String)>,
    /// The messages the conversation starts with. Default: none.
    pub history: Vec<Message>,
    /// The approver of hook questions. Default: none, so every question is denied, even in a
    /// session with [`NewSession::checkpoints`]. To suspend the turn for questions, use
    /// [`DeferAll`](portcullis::approval::DeferAll).
    pub approver: Arc<dyn Approver>,
    /// Whether the trail keeps the values that hooks change, and not only their digests. Default:
    /// no.
    pub keep_values: bool,
    /// Whether the trail keeps the hooks' calls of the host:
    /// [`Reached::calls`](portcullis::verdict::Reached::calls). These calls then take longer.
    /// Default: no.
    pub keep_calls: bool,
    /// The agent's state at the start. Default: empty.
    pub state: Map<String, Value>,
    /// The store for suspended turns. A turn is suspended if a client must run a tool, or if the
    /// approver returns [`ApprovalDecision::Defer`](portcullis::approval::ApprovalDecision), as
    /// [`DeferAll`](portcullis::approval::DeferAll) does for every question. Default: none, so
    /// turns are not suspended: a call that would wait is refused.
    pub checkpoints: Option<Arc<dyn CheckpointStore>>,
    /// The time for which the calls of a suspended turn wait for their answers. A later answer is
    /// refused, and calls without an answer are denied when the turn is resumed. Default: forever.
    pub answer_within: Option<Duration>,
    /// The store that the session is saved in at the end of each turn, and restored from. The
    /// session is claimed until it ends, or until its turn is suspended. Default: none, so the
    /// session ends with the process.
    pub sessions: Option<Arc<dyn SessionStore>>,
    /// The store that the session's turns are recorded in while they run, so that a turn can be
    /// [finished](crate::AgentSession::finish_turn) if its process dies. It needs
    /// [`NewSession::sessions`]. Default: none, so such a turn is lost.
    pub turns: Option<Arc<dyn TurnStore>>,
    /// Whether the session has begun in another process, which
    /// [released](crate::AgentSession::release) it or died. The `session-start` hooks then do not
    /// run. Default: no.
    pub begun: bool,
    /// The workspace that tools run in, one of the agent's [`Workspaces`](crate::Workspaces). The
    /// workspace is opened and closed with the session; its directory stays. Default: none, so the
    /// policy sets the directory that tools run in.
    pub workspace: Option<String>,
    /// The queue of user messages sent during a turn. Default: a new queue (see
    /// [`AgentSession::steering`](crate::AgentSession::steering)).
    pub steering: Steering,
    /// The span that the session is part of. Default: none, so the session begins its own trace if
    /// the agent has a [`Tracer`](crate::Tracer).
    pub trace: Option<TraceContext>,
    /// Cancels the session. Default: a new token (see
    /// [`AgentSession::cancel_token`](crate::AgentSession::cancel_token)).
    pub cancel: CancellationToken,
    /// Parks the session, because its process ends. A recorded turn stops, and its record is kept
    /// for the next process to [finish](crate::AgentSession::finish_turn). A session without such a
    /// turn is cancelled. Default: a new token.
    pub park: CancellationToken,
}

impl NewSession {
    /// Waits until the session is cancelled or parked.
    pub(crate) fn ended(&self) -> impl Future<Output = ()> + Send + use<> {
        let (cancel, park) = (self.cancel.clone(), self.park.clone());
        async move {
            tokio::select! {
                () = cancel.cancelled() => {}
                () = park.cancelled() => {}
            }
        }
    }
}

impl Default for NewSession {
    fn default() -> Self {
        Self {
            id: new_session_id(),
            user: None,
            working_dir: None,
            parent: None,
            metadata: Vec::new(),
            history: Vec::new(),
            approver: Arc::new(DenyAll),
            keep_values: false,
            keep_calls: false,
            state: Map::new(),
            checkpoints: None,
            answer_within: None,
            sessions: None,
            turns: None,
            begun: false,
            workspace: None,
            steering: Steering::default(),
            trace: None,
            cancel: CancellationToken::new(),
            park: CancellationToken::new(),
        }
    }
}

/// Returns a new id. It begins with the time, so that ids sort by age; the rest is random.
pub(crate) fn new_session_id() -> String {
    let random = RandomState::new().build_hasher().finish();
    format!("{:x}-{random:016x}", now_ms())
}

impl fmt::Debug for NewSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewSession")
            .field("id", &self.id)
            .field("user", &self.user)
            .field("working_dir", &self.working_dir)
            .field("parent", &self.parent)
            .field("history", &self.history.len())
            .finish_non_exhaustive()
    }
}
