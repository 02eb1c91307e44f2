//! One agent session's hooks.

mod decided;
mod hook_set;
mod hook_sets;
mod record;
mod served;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

pub use self::decided::Decided;
use self::hook_set::{Host, SessionHookSet};
use self::hook_sets::HookSets;
pub use self::record::DecisionRecord;
use self::served::Served;

use crate::chain::chains::Chains;
use crate::chain::pending::PendingRuns;
use crate::chain::turn_budget::TurnBudget;
use crate::chain::{Chain, ChainContext, Part, Watched};
use crate::host::hooks::{Hooks, generation};
use crate::host::native::NativeHook;
use crate::load::LoadErrors;
use crate::model::approval::{ApprovalDecision, Approver, DenyAll};
use crate::model::call::Call;
use crate::model::model_client::{ModelClient, NoModel};
use crate::model::points::Point;
use crate::model::secrets::AllSecrets;
use crate::model::sink::{HookObserver, TracingSink};
use crate::model::state::{PrivateState, StateStoreError, StoredState};
use crate::model::verdict::{Decision, Verdict};
use crate::sandbox::capabilities::{ModelBudgets, SessionModel};

/// Options for opening a session.
#[derive(Clone)]
pub struct SessionOptions {
    /// The session id that hooks see.
    pub id: String,
    /// The id of the outermost agent's session. It determines whether the answers of hooks with a
    /// [share](crate::settings::HookSettings::share) count. Default: this session's id.
    pub root: Option<String>,
    /// The observer that receives log lines, events and the record of runs. Default: `tracing`.
    pub sink: Arc<dyn HookObserver>,
    /// The approver that hooks ask. Default: none, so that every question stays unanswered.
    pub approver: Arc<dyn Approver>,
    /// The client for model calls of hooks that were granted `model`. Default: none, so that each
    /// such call is an error.
    pub model: Arc<dyn ModelClient>,
    /// The budgets for the hooks' model calls, from [`Session::model_budgets`] of a parent session.
    /// Default: the session's own budgets.
    pub model_budgets: Option<ModelBudgets>,
    /// The hooks' private state of the session, from [`Hooks::stored_state`]. Default: none, and
    /// private state is lost when the session ends.
    pub state: Option<StoredState>,
    /// Whether the trail keeps changed values, not only their digests. Default no: values may be
    /// secret.
    pub keep_values: bool,
}

impl SessionOptions {
    /// Creates the default options for a session with this id.
    pub fn new(id: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            root: None,
            sink: Arc::new(TracingSink),
            approver: Arc::new(DenyAll),
            model: Arc::new(NoModel),
            model_budgets: None,
            state: None,
            keep_values: false,
        }
    }
}

impl std::fmt::Debug for SessionOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SessionOptions")
            .field("id", &self.id)
            .field("keep_values", &self.keep_values)
            .finish_non_exhaustive()
    }
}

/// One agent session's hooks, with their warm instances. When the session is dropped and its
/// detached runs have ended, the instances and their private state are dropped.
///
/// After a reload, the session applies the new hooks at the next chain call. A call that is being
/// decided, or that waits for a person, keeps its hooks until it has been observed. Private state
/// belongs to hook ids and is kept. Instances of unchanged hooks are kept too. An added hook does
/// not receive `session-start`.
pub struct Session {
    stack: Mutex<Arc<HookSets>>,
    served: Served,
    /// The number of reloads at the time the hook sets were built.
    seen: AtomicU64,
    /// Held while reloaded hooks are applied.
    applying: Mutex<()>,
    host: Host,
    cx: ChainContext,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session")
            .field("id", &self.host.session)
            .field("chains", &self.hooks().chains)
            .finish_non_exhaustive()
    }
}

impl Session {
    pub(crate) fn open(hooks: &Hooks, options: SessionOptions) -> Self {
        // Read first, so that a reload from here on is applied later.
        let seen = AtomicU64::new(generation());
        let host = Host {
            session: options.id.as_str().into(),
            root: options.root.as_ref().unwrap_or(&options.id).as_str().into(),
            sink: options.sink.clone(),
            model: Arc::new(SessionModel::new(
                options.model.clone(),
                options.model_budgets.clone(),
            )),
            state: options.state.clone(),
        };
        let stack = HookSets::new(vec![Arc::new(SessionHookSet::open(
            &hooks.current,
            &host,
            0,
        ))]);
        let secrets = AllSecrets::default();
        stack.add_secrets(&secrets);
        Self {
            cx: ChainContext {
                approver: options.approver,
                keep_values: options.keep_values,
                secrets: Arc::new(secrets),
                session: host.session.clone(),
                watched: Watched::by(&*options.sink),
                sink: options.sink,
                background: hooks.background.clone(),
                runs: PendingRuns::default(),
                turn: TurnBudget::new(stack.turn_limits()),
            },
            served: Served::by(&stack.chains),
            stack: Mutex::new(Arc::new(stack)),
            seen,
            applying: Mutex::default(),
            host,
        }
    }

    /// Adds other hooks after those of the session, such as a sub-agent's hooks after its parents'.
    /// Each agent's hooks keep their own order.
    pub fn stack(&mut self, hooks: &Hooks) {
        let stack = self.hooks();
        let agent = stack.own().len() as u32;
        let set = Arc::new(SessionHookSet::open(&hooks.current, &self.host, agent));
        let sets = stack.sets.iter().cloned().chain([set]);
        self.put(HookSets::new(sets.collect()).with_front(stack.has_front));
    }

    /// Adds other hooks before those of the session until [`Session::remove_front`]. They run
    /// first, also at reversed points, and replace earlier front hooks. Their private state is
    /// dropped with them.
    pub fn set_front(&mut self, hooks: &Hooks) {
        let forgotten = Host {
            state: None,
            ..self.host.clone()
        };
        let front = Arc::new(SessionHookSet::open(&hooks.current, &forgotten, 0));
        let stack = self.hooks();
        let sets = [front].into_iter().chain(stack.own().iter().cloned());
        self.put(HookSets::new(sets.collect()).with_front(true));
    }

    /// Removes the front hooks, if there are any.
    pub fn remove_front(&mut self) {
        let stack = self.hooks();
        if stack.has_front {
            self.put(HookSets::new(stack.own().to_vec()));
        }
    }

    /// Adds a native hook to the innermost agent's hooks, ordered by priority, `after` and id. For
    /// hooks of this session only. Add other hooks with [`Hooks::with`](crate::Hooks::with).
    ///
    /// # Errors
    ///
    /// Returns an error if the id is taken or invalid, or if the order cannot be satisfied.
    pub fn add(&mut self, hook: NativeHook) -> Result<(), LoadErrors> {
        let stack = self.hooks();
        let mut sets = stack.sets.clone();
        if let Some(own) = sets.last_mut() {
            *own = Arc::new(own.with(hook, &self.host)?);
        }
        self.put(HookSets::new(sets).with_front(stack.has_front));
        Ok(())
    }

    /// Returns the session's id.
    pub fn id(&self) -> &str {
        &self.host.session
    }

    /// Returns a text without the secrets that the session's hooks were granted. They are replaced
    /// as in the hooks' own texts.
    pub fn redact(&self, text: &str) -> String {
        self.cx.secrets.get().redact(text).into_owned()
    }

    /// Returns whether any hook serves a point. Check this before building a call: an unserved
    /// point then costs three loads and two branches.
    #[inline]
    pub fn serves<P: Point>(&self) -> bool {
        self.renew();
        self.served.has::<P>()
    }

    /// Returns whether any hook at a point may decide or change something, not only observe.
    pub fn decides<P: Point>(&self) -> bool {
        let hooks = self.current();
        hooks.chains.get::<P>().is_some_and(Chain::decides)
    }

    /// Runs a point's hooks on a call and returns their verdict. Their changes are in the call.
    ///
    /// If a person decides later ([`Decision::Pending`](crate::Decision)), the observers have not
    /// run yet. To answer with the hooks that asked, use [`Session::decide`].
    pub async fn run<P: Point>(&self, call: &mut Call<P>) -> Verdict<P> {
        let hooks = self.current();
        let mut verdict = Verdict::empty();
        if let Some(chain) = hooks.chains.get::<P>()
            && let Some(rest) = chain.run(Part::All, call, &self.cx, &mut verdict)
        {
            rest.await;
        }
        verdict
    }

    /// Runs the deciding hooks and leaves the observers to [`Session::observe`]. For points where
    /// something happens between the two.
    pub async fn decide<P: Point>(&self, call: &mut Call<P>) -> Decided<P> {
        let hooks = self.current();
        let mut verdict = Verdict::empty();
        if let Some(chain) = hooks.chains.get::<P>()
            && let Some(rest) = chain.run(Part::Deciding, call, &self.cx, &mut verdict)
        {
            rest.await;
        }
        Decided {
            verdict,
            hooks: Some(hooks),
        }
    }

    /// Continues a pending decision with a person's answer. A decision that is not pending is
    /// unchanged.
    ///
    /// The same hooks continue, even if others were loaded since. The verdict contains the runs
    /// before the question, then the runs after it.
    pub async fn answer<P: Point>(
        &self,
        call: &mut Call<P>,
        decided: Decided<P>,
        says: ApprovalDecision,
    ) -> Decided<P> {
        let Decided { mut verdict, hooks } = decided;
        let pending = match std::mem::replace(&mut verdict.decision, Decision::Passed) {
            Decision::Pending(pending) => pending,
            decision => {
                verdict.decision = decision;
                return Decided { verdict, hooks };
            }
        };
        let hooks = self.with_added(hooks);
        let mut none = Chains::default();
        let chain = hooks.chains.get::<P>();
        let chain = chain.or_else(|| none.entry().map(|chain| &*chain));
        let answered = Part::Answered(pending, says);
        if let Some(chain) = chain
            && let Some(rest) = chain.run(answered, call, &self.cx, &mut verdict)
        {
            rest.await;
        }
        Decided {
            verdict,
            hooks: Some(hooks),
        }
    }

    /// Runs the observers after the decision.
    pub async fn observe<P: Point>(&self, call: &mut Call<P>, decided: &mut Decided<P>) {
        let hooks = self.with_added(decided.hooks.take());
        if let Some(chain) = hooks.chains.get::<P>()
            && let Some(rest) = chain.run(Part::Observing, call, &self.cx, &mut decided.verdict)
        {
            rest.await;
        }
    }

    /// Returns the current hooks. Reloaded hooks are applied only here.
    #[inline]
    fn current(&self) -> Arc<HookSets> {
        self.renew();
        self.hooks()
    }

    /// Returns the hooks that were applied last.
    #[inline]
    fn hooks(&self) -> Arc<HookSets> {
        self.hold().clone()
    }

    #[inline]
    fn hold(&self) -> MutexGuard<'_, Arc<HookSets>> {
        self.stack.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[inline]
    fn renew(&self) {
        if generation() != self.seen.load(Ordering::Acquire) {
            self.apply_reloaded();
        }
    }

    fn put(&self, hooks: HookSets) {
        hooks.add_secrets(&self.cx.secrets);
        self.served.put(&hooks.chains);
        let hooks = Arc::new(hooks);
        // Dropped after the lock is released, since a destructor may take the lock.
        let _before = std::mem::replace(&mut *self.hold(), hooks);
    }

    /// Returns the hooks that decided a call, with those that the embedder added since. Returns the
    /// current hooks if `hooks` is `None`.
    fn with_added(&self, hooks: Option<Arc<HookSets>>) -> Arc<HookSets> {
        match hooks {
            None => self.current(),
            Some(hooks) => match hooks.with_added(&self.hooks(), &self.host) {
                None => hooks,
                Some(with_added) => Arc::new(with_added),
            },
        }
    }

    #[cold]
    fn apply_reloaded(&self) {
        let _one_at_a_time = self.applying.lock().unwrap_or_else(PoisonError::into_inner);
        let now = generation();
        if let Some(stack) = self.hooks().renewed(&self.host) {
            self.cx.turn.limit(stack.turn_limits());
            self.put(stack);
        }
        self.seen.store(now, Ordering::Release);
    }

    /// Resets the hooks' use of the current turn's budget
    /// ([`TurnLimits`](crate::limits::TurnLimits)), for an embedder that does not know when a turn
    /// ends.
    pub fn renew_turn_budget(&self) {
        self.cx.turn.renew();
    }

    /// Returns the number of the session's detached runs that have not ended. Their private state
    /// belongs to the session.
    pub fn detached_runs(&self) -> usize {
        self.cx.runs.count()
    }

    /// Waits for the session's detached runs, for at most `within`. Returns the number of runs that
    /// have not ended.
    pub async fn drain(&self, within: Duration) -> usize {
        self.cx.runs.drain(within).await
    }

    /// Writes the hooks' private state of the session to its store, if it has one, and waits for
    /// it.
    ///
    /// # Errors
    ///
    /// Returns an error if the store failed. Unwritten state is kept and written later. Also
    /// returns an error if this process may no longer write the session's state:
    /// [`StateStoreError::session`] then names the session.
    pub async fn flush_state(&self) -> Result<(), StateStoreError> {
        let sets = self.hooks().sets.clone();
        for set in &sets {
            let opening = &set.opening;
            if let Some(writer) = opening.state.writer() {
                writer.flush().await?;
                opening.state.check_lost(opening.number)?;
            }
        }
        Ok(())
    }

    /// Gives the hooks their private state from the store, and keeps it there from now on. It
    /// replaces [`SessionOptions::state`] if the session is opened before it is claimed. Call it
    /// before the first chain call.
    pub fn open_state(&mut self, stored: StoredState) {
        for (agent, set) in (0..).zip(self.hooks().own()) {
            set.opening.open(agent, &stored);
        }
        self.host.state = Some(stored);
    }

    /// Returns the model budgets of this turn, for a session that is part of the turn, such as a
    /// sub-agent's.
    pub fn model_budgets(&self, turn: u32) -> ModelBudgets {
        self.host.model.budgets(turn)
    }

    /// Stops writing private state to the store after [`Session::open_state`], so that the session
    /// may be opened again. Call [`Session::flush_state`] before.
    pub fn close_state(&mut self) {
        for set in self.hooks().own() {
            set.opening.close();
        }
        self.host.state = None;
    }

    /// Returns the hooks' private state of the session, to be kept while the session is suspended.
    /// Empty if the store keeps it.
    pub fn private_state(&self) -> Vec<PrivateState> {
        let stack = self.hooks();
        let sets = stack.own().iter();
        sets.map(|set| set.opening.export()).collect()
    }

    /// Restores the hooks' private state from before the session was suspended.
    pub fn restore(&self, states: Vec<PrivateState>) {
        for (set, state) in self.hooks().own().iter().zip(states) {
            set.opening.import(state);
        }
    }
}
