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

/// How a session is opened.
#[derive(Clone)]
pub struct SessionOptions {
    /// The session's id, as hooks see it.
    pub id: String,
    /// The id of the outermost agent's session, by which hooks are told whose answers count in a
    /// [share](crate::settings::HookSettings::share) of sessions. Default: this session's.
    pub root: Option<String>,
    /// Where log lines and events go, and the record of runs. Default: to `tracing`.
    pub sink: Arc<dyn HookObserver>,
    /// Whom hooks ask. Default: nobody, so that every question is answered with no.
    pub approver: Arc<dyn Approver>,
    /// Who asks the agent's model for hooks that were granted it. Default: nobody, so that each call
    /// of `model` is an error.
    pub model: Arc<dyn ModelClient>,
    /// The budgets that hooks spend when they ask the model, as [`Session::model_budgets`] of a parent
    /// gives them. Default: budgets of the session's own.
    pub model_budgets: Option<ModelBudgets>,
    /// What hooks remember of the session, as [`Hooks::stored_state`] gives it. Default: nothing, and
    /// what they remember is gone with the session.
    pub state: Option<StoredState>,
    /// Keep changed values, not only their digests, in the trail. Default no: values may be
    /// secret.
    pub keep_values: bool,
}

impl SessionOptions {
    /// The defaults, for a session of this id.
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

/// One agent session's hooks, with the instances that they keep warm. When it is dropped and its
/// detached runs have ended, the instances are dropped, and what they remembered of the session is
/// forgotten.
///
/// Where its hooks are loaded again, the session applies them at the next call of a chain. A call that
/// is being decided, or that waits for a person, keeps the hooks that it began with, also to be
/// observed. What hooks remember belongs to their ids and is kept; so are the instances of hooks that
/// did not change. A hook that is added has missed `session-start`.
pub struct Session {
    stack: Mutex<Arc<HookSets>>,
    served: Served,
    /// How often hooks had been loaded again when the stack was put together.
    seen: AtomicU64,
    /// Held while hooks that were loaded again are applied.
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
        // Read first: what is loaded from now on is applied later.
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

    /// Puts other hooks behind those of the session: a sub-agent's behind its parents'. Within each
    /// agent's hooks the order is theirs.
    pub fn stack(&mut self, hooks: &Hooks) {
        let stack = self.hooks();
        let agent = stack.own().len() as u32;
        let set = Arc::new(SessionHookSet::open(&hooks.current, &self.host, agent));
        let sets = stack.sets.iter().cloned().chain([set]);
        self.put(HookSets::new(sets.collect()).with_front(stack.has_front));
    }

    /// Puts other hooks in front of those of the session until [`Session::remove_front`]: they run
    /// first, at reversed points too. They replace those that were put in front before. What they
    /// remember is forgotten with them.
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

    /// Removes the hooks that were put in front, if there are any.
    pub fn remove_front(&mut self) {
        let stack = self.hooks();
        if stack.has_front {
            self.put(HookSets::new(stack.own().to_vec()));
        }
    }

    /// Adds a native hook to those put in last, in its place by priority, `after` and id. For hooks
    /// that belong to this session alone; others are better put in with
    /// [`Hooks::with`](crate::Hooks::with).
    ///
    /// # Errors
    ///
    /// Its id is taken or none, or the order cannot be kept.
    pub fn add(&mut self, hook: NativeHook) -> Result<(), LoadErrors> {
        let stack = self.hooks();
        let mut sets = stack.sets.clone();
        if let Some(own) = sets.last_mut() {
            *own = Arc::new(own.with(hook, &self.host)?);
        }
        self.put(HookSets::new(sets).with_front(stack.has_front));
        Ok(())
    }

    /// The session's id.
    pub fn id(&self) -> &str {
        &self.host.session
    }

    /// A text without the secrets that its hooks were granted. They are replaced as in the hooks' own texts.
    pub fn redact(&self, text: &str) -> String {
        self.cx.secrets.get().redact(text).into_owned()
    }

    /// Whether any hook serves a point. Ask before you build a call: an unserved point then costs
    /// three loads and two branches.
    #[inline]
    pub fn serves<P: Point>(&self) -> bool {
        self.renew();
        self.served.has::<P>()
    }

    /// Whether any hook at a point may decide or change something, and not only observe.
    pub fn decides<P: Point>(&self) -> bool {
        let hooks = self.current();
        hooks.chains.get::<P>().is_some_and(Chain::decides)
    }

    /// Runs a point's hooks over a call and says what they decided. What they changed is in the
    /// call.
    ///
    /// Where a person decides later ([`Decision::Pending`](crate::Decision)), the observing hooks have
    /// not run yet. To answer with the hooks that asked, use [`Session::decide`].
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

    /// Runs the hooks that decide, and leaves those that observe to [`Session::observe`]. For points
    /// where something happens between the two.
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

    /// Continues where the decision was left to a person, who now says this. A decision that is not
    /// pending stays as it is.
    ///
    /// The hooks are those that decided then, also where others were loaded since. The verdict's runs
    /// are those until the question, then those since.
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

    /// Runs the hooks that observe, now that it is decided.
    pub async fn observe<P: Point>(&self, call: &mut Call<P>, decided: &mut Decided<P>) {
        let hooks = self.with_added(decided.hooks.take());
        if let Some(chain) = hooks.chains.get::<P>()
            && let Some(rest) = chain.run(Part::Observing, call, &self.cx, &mut decided.verdict)
        {
            rest.await;
        }
    }

    /// The current hooks. Where they were loaded again, the new ones are applied here and nowhere else.
    #[inline]
    fn current(&self) -> Arc<HookSets> {
        self.renew();
        self.hooks()
    }

    /// The hooks that were applied last.
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
        // Dropped without the lock, which what is dropped may want.
        let _before = std::mem::replace(&mut *self.hold(), hooks);
    }

    /// The hooks that a call was decided by, with those that the embedder added since; or else the
    /// current ones.
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

    /// Resets what hooks have used of the current turn's budget ([`TurnLimits`](crate::limits::TurnLimits)), for an
    /// embedder that does not know when a turn ends.
    pub fn renew_turn_budget(&self) {
        self.cx.turn.renew();
    }

    /// How many detached runs of the session have not ended. What they remember is in it.
    pub fn detached_runs(&self) -> usize {
        self.cx.runs.count()
    }

    /// Waits until the detached runs of the session have ended, for no longer than `within`. Gives how many have not.
    pub async fn drain(&self, within: Duration) -> usize {
        self.cx.runs.drain(within).await
    }

    /// Has the store take what hooks remember of the session, if it is kept in one, and waits for it.
    ///
    /// # Errors
    ///
    /// The store failed. What it did not take is kept, and tried again. Or this process may not write
    /// the session's state any more: [`StateStoreError::session`] then names the session.
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

    /// Gives hooks what the store has of the session, and keeps it there from now on. It replaces
    /// [`SessionOptions::state`] where the session is opened before it is claimed. Call it before the
    /// first call of a chain.
    pub fn open_state(&mut self, stored: StoredState) {
        for (agent, set) in (0..).zip(self.hooks().own()) {
            set.opening.open(agent, &stored);
        }
        self.host.state = Some(stored);
    }

    /// The budgets of the agent's model in this turn, for a session that is a part of it, such as a
    /// sub-agent's.
    pub fn model_budgets(&self, turn: u32) -> ModelBudgets {
        self.host.model.budgets(turn)
    }

    /// Ends what [`Session::open_state`] began, so that the session may be opened again: the store is given
    /// no more of what hooks remember. Call [`Session::flush_state`] before.
    pub fn close_state(&mut self) {
        for set in self.hooks().own() {
            set.opening.close();
        }
        self.host.state = None;
    }

    /// What hooks remember of the session, to be kept while it is suspended. Empty where the store
    /// keeps it.
    pub fn private_state(&self) -> Vec<PrivateState> {
        let stack = self.hooks();
        let sets = stack.own().iter();
        sets.map(|set| set.opening.export()).collect()
    }

    /// Gives hooks back what they remembered of the session before it was suspended.
    pub fn restore(&self, states: Vec<PrivateState>) {
        for (set, state) in self.hooks().own().iter().zip(states) {
            set.opening.import(state);
        }
    }
}
