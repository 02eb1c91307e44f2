//! The bridge: hooks that are loaded once, and the sessions that callers name.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use portcullis::approval::{Approver, DeferAll};
use portcullis::contract::Context;
use portcullis::hooks::StateStorage;
use portcullis::observer::{HookObserver, TracingSink};
use portcullis::points::PointId;
use portcullis::trace::CallTrace;
use portcullis::{Hooks, LoadOptions, SessionOptions, threads};
use portcullis_agent::{JournalObserver, RunRecorder};
use portcullis_store::{Journal, RecordingOptions, Store, directory_scope};
use serde_json::Value;
use tokio::sync::OwnedRwLockReadGuard;

use crate::call;
use crate::error::BridgeError;
use crate::record::{self, Noted};
use crate::reload::ReloadReply;
use crate::reply::CallReply;
use crate::request::{AnswerRequest, CallRequest};
use crate::session::{ClaimWait, OpenSession};
use crate::sessions::{Free, SessionLimits, Sessions, Slot, close};

/// A layer in front of the journal of hook runs. The argument is the journal, if there is one.
pub type RecorderLayer =
    Arc<dyn Fn(Option<Arc<dyn RunRecorder>>) -> Arc<dyn RunRecorder> + Send + Sync>;

/// Options for opening a bridge.
#[derive(Clone)]
pub struct BridgeOptions {
    /// The store for the state of hooks and for the journal. Default: none; the state of hooks is
    /// then lost when the process ends.
    pub store: Option<Store>,
    /// The name for the state that hooks share. Default: the path of the hooks directory.
    pub scope: Option<String>,
    /// Whether the store records hook runs. Default yes.
    pub journal: bool,
    /// The recording of component calls, together with the journal. Default: calls are not
    /// recorded.
    pub recording: Option<RecordingOptions>,
    /// A layer in front of the journal, or in its place, that receives every run; used for alerts.
    /// Default: none.
    pub recorder: Option<RecorderLayer>,
    /// The observer of the hooks' log lines, their events, and the remarks and jobs of detached
    /// runs. Default: an observer that writes to `tracing`.
    pub observer: Arc<dyn HookObserver>,
    /// The approver of hook questions. Default: [`DeferAll`], so that each question is returned to
    /// the caller as [`Decision::Pending`](crate::Decision::Pending).
    pub approver: Arc<dyn Approver>,
    /// The time after which a session without calls and detached runs is closed. Default 30
    /// minutes. The state of its hooks is in the store; without a store it is lost. A task on the
    /// runtime of a call closes the session.
    pub idle: Duration,
    /// The maximum number of open sessions. Default 1,024. Opening another one closes the session
    /// that was used least recently.
    pub most_sessions: usize,
    /// The end of the wait for a session that another process has open. Default: after 10 s.
    pub claim_wait: ClaimWait,
    /// The maximum wait for the detached runs of a session that is closed. Default 10 s.
    pub drain: Duration,
}

impl Default for BridgeOptions {
    fn default() -> Self {
        Self {
            store: None,
            scope: None,
            journal: true,
            recording: None,
            recorder: None,
            observer: Arc::new(TracingSink),
            approver: Arc::new(DeferAll),
            idle: Duration::from_secs(30 * 60),
            most_sessions: 1_024,
            claim_wait: ClaimWait::For(Duration::from_secs(10)),
            drain: Duration::from_secs(10),
        }
    }
}

impl std::fmt::Debug for BridgeOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BridgeOptions")
            .field("store", &self.store)
            .field("idle", &self.idle)
            .field("most_sessions", &self.most_sessions)
            .finish_non_exhaustive()
    }
}

/// The hooks of a directory, called with JSON. A session is opened at its first call.
pub struct Bridge {
    hooks: Hooks,
    options: BridgeOptions,
    journal: Option<Journal>,
    sessions: Sessions,
}

impl std::fmt::Debug for Bridge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Bridge")
            .field("hooks", &self.hooks)
            .field("sessions", &self.sessions.len())
            .finish_non_exhaustive()
    }
}

impl Bridge {
    /// Loads the hooks of a directory. Their state is kept in the bridge's store, not in that of
    /// `load`. Blocks the thread.
    ///
    /// # Errors
    ///
    /// The hooks do not load, or the journal cannot be written.
    pub fn load(
        dir: &Path,
        load: LoadOptions<'_>,
        options: BridgeOptions,
    ) -> Result<Self, BridgeError> {
        let scope = match &options.scope {
            Some(scope) => scope.clone(),
            None => directory_scope(dir),
        };
        let store = options.store.as_ref();
        let load = LoadOptions {
            state: match store {
                Some(store) => StateStorage::Store(Arc::new(store.hook_state(&scope))),
                None => StateStorage::Memory,
            },
            records_runs: options.journal && store.is_some(),
            ..load
        };
        let hooks = Hooks::load(dir, &load)?;
        Self::new(hooks, options)
    }

    /// Creates a bridge with loaded hooks. Hooks keep their state in the store that they were
    /// loaded with, which should be the store of the options.
    ///
    /// # Errors
    ///
    /// The journal cannot be written.
    pub fn new(hooks: Hooks, options: BridgeOptions) -> Result<Self, BridgeError> {
        let store = options.store.as_ref();
        let journal = match store.filter(|_| options.journal) {
            Some(store) => {
                let journal = store.journal()?;
                Some(match options.recording.clone() {
                    Some(recording) => journal.recording(store.recorder(recording)?),
                    None => journal,
                })
            }
            None => None,
        };
        let sessions = Sessions::new(SessionLimits {
            idle: options.idle,
            most: options.most_sessions,
            drain: options.drain,
        });
        Ok(Self {
            hooks,
            options,
            journal,
            sessions,
        })
    }

    /// Returns the hooks, for example to watch or reload them.
    pub fn hooks(&self) -> &Hooks {
        &self.hooks
    }

    /// Reloads the hooks whose files have changed. Open sessions apply the change at their next
    /// call.
    ///
    /// # Errors
    ///
    /// There is no thread to load the hooks on, or loading panicked.
    pub async fn reload(&self) -> Result<ReloadReply, BridgeError> {
        let hooks = self.hooks.clone();
        let reloaded = threads::blocking(move || hooks.reload()).await?;
        Ok(reloaded.into())
    }

    /// Returns the number of open sessions.
    pub fn open_sessions(&self) -> usize {
        self.sessions.len()
    }

    /// Calls the hooks of a point. Opens the session if it is not open. A call of `session-end`
    /// closes the session.
    ///
    /// # Errors
    ///
    /// The request is wrong, the session cannot be opened, or, at `session-end`, it cannot be saved.
    /// Nothing was decided.
    pub async fn call(&self, request: CallRequest) -> Result<CallReply, BridgeError> {
        self.call_within(request, None).await
    }

    /// Calls the hooks of a point, as part of this trace.
    ///
    /// # Errors
    ///
    /// See [`Bridge::call`].
    pub async fn call_within(
        &self,
        request: CallRequest,
        trace: Option<Arc<CallTrace>>,
    ) -> Result<CallReply, BridgeError> {
        let point = call::point(&request.point)?;
        let context = Context::from(request.context.clone());
        let journal = self.journal.as_ref();
        let noted = journal.map(|journal| Noted::new(journal.clone(), point, &request));
        let call = call::parse(point, request, trace)?;
        let open = self.open(&context).await?;
        open.had_turn(context.turn);
        if let Some(noted) = &noted {
            noted.before();
        }
        let reply = call::run(&open.session, call, noted, &open.pending).await?;
        drop(open);
        if point == PointId::SessionEnd {
            self.close_session(&context.session_id).await?;
        }
        Ok(reply)
    }

    /// Continues a call that waits for a person, with the person's decision on the first question.
    /// The next question may then be pending.
    ///
    /// # Errors
    ///
    /// No question with this id is pending.
    pub async fn answer(&self, request: AnswerRequest) -> Result<CallReply, BridgeError> {
        let AnswerRequest {
            session_id,
            id,
            decision,
        } = request;
        if let Some(slot) = self.sessions.get(&session_id)
            && let Ok(open) = open_session(slot.read_owned().await)
        {
            return open.pending.answer(&open.session, id, decision).await;
        }
        Err(BridgeError::NoQuestion {
            session: session_id,
            id,
        })
    }

    /// Returns the value that the caller set with [`Bridge::set_memo`]; null if none was set. The
    /// store keeps the value with the session, so that another process can read it.
    ///
    /// # Errors
    ///
    /// The session cannot be opened.
    pub async fn memo(&self, session: &str, agent: &str) -> Result<Value, BridgeError> {
        Ok(self.open(&position(session, agent)).await?.memo())
    }

    /// Sets the caller's value in a session. Replaces the previous value.
    ///
    /// # Errors
    ///
    /// The session cannot be opened.
    pub async fn set_memo(
        &self,
        session: &str,
        agent: &str,
        memo: Value,
    ) -> Result<(), BridgeError> {
        self.open(&position(session, agent)).await?.set_memo(memo);
        Ok(())
    }

    /// Writes the state of a session's hooks, the state that hooks share and the caller's memo to
    /// the store. The session stays open. Without a store it does nothing.
    ///
    /// # Errors
    ///
    /// Something could not be saved. It is tried again when the session is closed.
    pub async fn flush_session(&self, session: &str) -> Result<(), BridgeError> {
        if let Some(slot) = self.sessions.get(session)
            && let Ok(open) = open_session(slot.read_owned().await)
        {
            open.flush().await?;
        }
        Ok(self.hooks.flush_state().await?)
    }

    /// Resets the amount that the hooks of a session have used of the turn's budget, for a caller
    /// that does not know when a turn ends.
    ///
    /// # Errors
    ///
    /// The session cannot be opened.
    pub async fn renew_turn_budget(&self, session: &str, agent: &str) -> Result<(), BridgeError> {
        let open = self.open(&position(session, agent)).await?;
        open.session.renew_turn_budget();
        Ok(())
    }

    /// Closes a session if no call and no detached run uses it, so that other processes can open
    /// it. Does not wait: returns `false` if the session is in use.
    ///
    /// # Errors
    ///
    /// The session cannot be saved. It is closed nevertheless.
    pub async fn release_session(&self, session: &str) -> Result<bool, BridgeError> {
        match self.sessions.take_free(session) {
            Free::NotOpen => Ok(true),
            Free::InUse => Ok(false),
            Free::Taken(slot) => close(slot, self.options.drain).await.map(|()| true),
        }
    }

    /// Closes a session once no call uses it and its detached runs have ended. The state of its
    /// hooks is then in the store, and other processes can open it. Does nothing if the session is
    /// not open.
    ///
    /// # Errors
    ///
    /// The session cannot be saved.
    pub async fn close_session(&self, session: &str) -> Result<(), BridgeError> {
        match self.sessions.get(session) {
            Some(slot) => {
                let within = self.options.drain;
                self.sessions.close(session, slot, within).await
            }
            None => Ok(()),
        }
    }

    /// Closes all sessions and writes all unsaved data to the store. Waits for detached runs, for
    /// at most `within`. Returns the number of runs that have not ended. No session is opened
    /// afterwards.
    ///
    /// # Errors
    ///
    /// Some data could not be saved and is lost. All other data is saved.
    pub async fn close(&self, within: Duration) -> Result<usize, BridgeError> {
        self.sessions.end();
        let left = self.hooks.drain(within).await;
        let mut closed = Ok(());
        for (id, slot) in self.sessions.all() {
            // The detached runs were waited for above.
            let ended = self.sessions.close(&id, slot, Duration::ZERO).await;
            closed = closed.and(ended);
        }
        let kept = self.hooks.flush_state().await;
        let written = match &self.journal {
            Some(journal) => journal.flush_async().await,
            None => Ok(()),
        };
        closed?;
        kept?;
        written?;
        Ok(left)
    }

    async fn slot(&self, session: &str) -> Result<Slot, BridgeError> {
        let (slot, closed) = self.sessions.slot(session)?;
        if let Some(closed) = closed
            && let Err(error) = close(closed, self.options.drain).await
        {
            tracing::error!("a session that was closed could not be saved: {error}");
        }
        Ok(slot)
    }

    /// Returns the session. Opens it if it is not open.
    async fn open(&self, context: &Context) -> Result<OpenGuard, BridgeError> {
        let slot = self.slot(&context.session_id).await?;
        loop {
            if let Ok(open) = open_session(slot.clone().read_owned().await) {
                return Ok(open);
            }
            let mut place = slot.clone().write_owned().await;
            if place.is_none() {
                // The call may have waited while the bridge was closed.
                if self.sessions.has_ended() {
                    return Err(BridgeError::Closed);
                }
                *place = Some(self.opened(context).await?);
            }
            if let Ok(open) = open_session(place.downgrade()) {
                return Ok(open);
            }
        }
    }

    async fn opened(&self, context: &Context) -> Result<OpenSession, BridgeError> {
        let journal = self.journal.clone();
        let journal = journal.map(|journal| Arc::new(journal) as Arc<dyn RunRecorder>);
        let journal = match &self.options.recorder {
            Some(layer) => Some(layer(journal)),
            None => journal,
        };
        let options = SessionOptions {
            sink: Arc::new(JournalObserver::new(self.options.observer.clone(), journal)),
            approver: self.options.approver.clone(),
            ..SessionOptions::new(&context.session_id)
        };
        let store = self.options.store.as_ref().map(Store::sessions);
        let wait = self.options.claim_wait;
        let open = OpenSession::open(&self.hooks, options, context, store, wait).await?;
        // A session that had a turn is already in the journal.
        if let Some(journal) = self.journal.as_ref().filter(|_| open.is_new()) {
            record::opened(journal, &context.session_id, &context.agent, &self.hooks);
        }
        Ok(open)
    }
}

/// A guard of an open session that a call uses.
type OpenGuard = OwnedRwLockReadGuard<Option<OpenSession>, OpenSession>;

fn open_session(
    place: OwnedRwLockReadGuard<Option<OpenSession>>,
) -> Result<OpenGuard, OwnedRwLockReadGuard<Option<OpenSession>>> {
    OwnedRwLockReadGuard::try_map(place, Option::as_ref)
}

fn position(session: &str, agent: &str) -> Context {
    Context {
        session_id: session.to_owned(),
        agent: agent.to_owned(),
        turn: 0,
        step: 0,
    }
}
