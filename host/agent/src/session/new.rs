//! How a session is opened.

use std::fmt;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use portcullis::contract::Message;
use portcullis::{Approver, NobodyToAsk};
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::steering::Steering;
use crate::checkpoint::CheckpointStore;

/// How a session is opened. `NewSession::default()` opens a session of nobody in particular.
#[derive(Clone)]
pub struct NewSession {
    /// Its id, unique within the host. Default: made up.
    pub id: String,
    /// The user. Default: none.
    pub user: Option<String>,
    /// The directory the agent works in, as hooks are told; the policy says where tools work.
    /// Default: none.
    pub working_dir: Option<PathBuf>,
    /// The session that starts this one as a sub-agent's. Default: none.
    pub parent: Option<String>,
    /// What else hooks may know of it. Default: nothing.
    pub metadata: Vec<(String, String)>,
    /// A conversation to go on with. Default: none.
    pub history: Vec<Message>,
    /// Whom hooks ask. Default: nobody, so that every question is answered with no, also where
    /// [`NewSession::checkpoints`] would let it wait: for that, give
    /// [`AskLater`](portcullis::AskLater).
    pub approver: Arc<dyn Approver>,
    /// Keep the values that hooks change in the trail, not only their digests. Default: no.
    pub keep_values: bool,
    /// What tools and hooks find in the agent's state at first. Default: nothing.
    pub state: Map<String, Value>,
    /// Where turns wait that something outside must decide on: a client that runs a tool, or a person
    /// where the approver says [`PersonSays::Later`](portcullis::PersonSays), as
    /// [`AskLater`](portcullis::AskLater) does to every question. Default: none, and such turns are
    /// not suspended: what would wait is refused.
    pub checkpoints: Option<Arc<dyn CheckpointStore>>,
    /// The workspace that tools work in, of the agent's
    /// [`Workspaces`](crate::Workspaces); it is opened with the session and closed with it, and its
    /// directory stays. Default: none, and the policy says where tools work.
    pub workspace: Option<String>,
    /// What the user says in the middle of a turn. Default: a queue of its own (see
    /// [`AgentSession::steering`](crate::AgentSession::steering)).
    pub steering: Steering,
    /// Cancels the session. Default: a token of its own (see
    /// [`AgentSession::cancel_token`](crate::AgentSession::cancel_token)).
    pub cancel: CancellationToken,
}

impl Default for NewSession {
    fn default() -> Self {
        Self {
            id: made_up_id(),
            user: None,
            working_dir: None,
            parent: None,
            metadata: Vec::new(),
            history: Vec::new(),
            approver: Arc::new(NobodyToAsk),
            keep_values: false,
            state: Map::new(),
            checkpoints: None,
            workspace: None,
            steering: Steering::default(),
            cancel: CancellationToken::new(),
        }
    }
}

/// Time first, so that ids sort by age; the rest is random.
pub(super) fn made_up_id() -> String {
    let millis = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |d| d.as_millis());
    let random = RandomState::new().build_hasher().finish();
    format!("{millis:x}-{random:016x}")
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
