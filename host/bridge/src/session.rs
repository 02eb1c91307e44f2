//! One open session.

use std::time::{Duration, Instant};

use parking_lot::Mutex;
use portcullis::contract::Context;
use portcullis::state::{StateStoreError, StoredState};
use portcullis::{Hooks, Session, SessionOptions};
use portcullis_agent::{SavedSession, SavedSessionError, SessionStore as _};
use portcullis_store::Sessions;
use serde_json::Value;

use crate::call::Pending;
use crate::error::BridgeError;

/// The delays before another attempt to open a session that another process has open: the first,
/// and the longest.
const FIRST_WAIT: Duration = Duration::from_millis(2);
const LONGEST_WAIT: Duration = Duration::from_millis(100);

/// The end of the wait for a session that another process has open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimWait {
    /// This long after the session is to be opened.
    For(Duration),
    /// At this time, whenever the wait begins. For callers with a deadline.
    Until(Instant),
}

impl ClaimWait {
    /// Returns the end of a wait that begins now.
    pub(crate) fn end(self) -> Instant {
        match self {
            Self::For(time) => Instant::now() + time,
            Self::Until(end) => end,
        }
    }
}

/// One open session. It is claimed in the store, so that only one process writes its state.
pub(crate) struct OpenSession {
    pub(crate) session: Session,
    pub(crate) pending: Pending,
    store: Option<Sessions>,
    saved: Mutex<Saved>,
}

struct Saved {
    session: SavedSession,
    changed: bool,
}

impl OpenSession {
    /// Opens a session. If another process has it open, waits.
    pub(crate) async fn open(
        hooks: &Hooks,
        options: SessionOptions,
        context: &Context,
        store: Option<Sessions>,
        wait: ClaimWait,
    ) -> Result<Self, BridgeError> {
        let new = SavedSession {
            id: context.session_id.clone(),
            agent: context.agent.clone(),
            ..SavedSession::default()
        };
        let until = wait.end();
        let session = match &store {
            Some(store) => claim(store, new, until).await?,
            None => new,
        };
        let state = match stored_state(hooks, &options.id, until).await {
            Ok(state) => state,
            Err(error) => {
                release(store.as_ref(), &options.id).await;
                return Err(error.into());
            }
        };
        let saved = Saved {
            changed: session.turns == 0,
            session,
        };
        Ok(Self {
            session: hooks.session(SessionOptions { state, ..options }),
            pending: Pending::default(),
            store,
            saved: Mutex::new(saved),
        })
    }

    /// Returns whether the session has had no turn, in this or in another process.
    pub(crate) fn is_new(&self) -> bool {
        self.saved.lock().session.turns == 0
    }

    /// Returns the value that the caller put into the session.
    pub(crate) fn memo(&self) -> Value {
        self.saved.lock().session.data.clone()
    }

    /// Sets the caller's value in the session. Replaces the previous value.
    pub(crate) fn set_memo(&self, memo: Value) {
        let mut saved = self.saved.lock();
        saved.changed |= saved.session.data != memo;
        saved.session.data = memo;
    }

    /// Records that the session has had this turn.
    pub(crate) fn had_turn(&self, turn: u32) {
        let mut saved = self.saved.lock();
        saved.changed |= saved.session.turns < turn;
        saved.session.turns = saved.session.turns.max(turn);
    }

    /// Writes the state of the session's hooks and the caller's memo to the store.
    pub(crate) async fn flush(&self) -> Result<(), BridgeError> {
        self.session.flush_state().await?;
        let Some(store) = &self.store else {
            return Ok(());
        };
        let saved = {
            let mut saved = self.saved.lock();
            if !std::mem::take(&mut saved.changed) {
                return Ok(());
            }
            // The store removes a session that has had no turn when it is closed.
            saved.session.turns = saved.session.turns.max(1);
            saved.session.clone()
        };
        let stored = store.save(saved).await;
        if stored.is_err() {
            self.saved.lock().changed = true;
        }
        Ok(stored?)
    }

    /// Flushes the session once its detached runs have ended, and releases it for other processes.
    /// State that a run writes after `within` is lost, because another process may write the
    /// session.
    pub(crate) async fn close(self, within: Duration) -> Result<(), BridgeError> {
        let left = self.session.drain(within).await;
        if left > 0 {
            let session = self.session.id();
            tracing::warn!(
                session,
                "{left} background runs did not end within {within:?}, and are lost"
            );
        }
        let flushed = self.flush().await;
        let Self { session, store, .. } = self;
        let id = session.id().to_owned();
        // Hooks release the state before another process can claim the session.
        drop(session);
        release(store.as_ref(), &id).await;
        flushed
    }
}

/// Claims a session in a store. If another process has it open, waits, but not after `until`.
pub(crate) async fn claim(
    store: &Sessions,
    session: SavedSession,
    until: Instant,
) -> Result<SavedSession, SavedSessionError> {
    let mut pause = FIRST_WAIT;
    loop {
        match store.open(session.clone()).await {
            Err(SavedSessionError::Held { .. }) if Instant::now() < until => {
                pause = paused(pause).await;
            }
            claimed => return claimed,
        }
    }
}

/// Returns the stored state of a session's hooks. Detached runs of this process may still have it
/// open.
async fn stored_state(
    hooks: &Hooks,
    session: &str,
    until: Instant,
) -> Result<Option<StoredState>, StateStoreError> {
    let mut pause = FIRST_WAIT;
    loop {
        match hooks.stored_state(session).await {
            Err(error) if error.is_already_open() && Instant::now() < until => {
                pause = paused(pause).await;
            }
            opened => return opened,
        }
    }
}

/// Waits, and returns the next delay.
async fn paused(pause: Duration) -> Duration {
    tokio::time::sleep(pause).await;
    LONGEST_WAIT.min(pause * 2)
}

/// Releases a session that is claimed in a store.
pub(crate) async fn release(store: Option<&Sessions>, id: &str) {
    if let Some(store) = store
        && let Err(error) = store.close(id).await
    {
        // The end of this process releases it too.
        tracing::warn!(session = id, "the session could not be released: {error}");
    }
}
