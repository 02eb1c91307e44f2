//! One agent session's hooks.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::Mutex;

use crate::approval::{Approver, NobodyToAsk, PersonSays};
use crate::background::Background;
use crate::call::Call;
use crate::chain::{Chains, Surroundings};
use crate::component_hook::{ComponentHook, Opening};
use crate::handlers::Handlers;
use crate::hooks::{Hooks, Layer};
use crate::load::{LoadError, LoadErrors, Stage};
use crate::member::{Body, Member, Seat};
use crate::native::NativeHook;
use crate::order::{self, Orders};
use crate::points::{Point, PointId};
use crate::settings::Settings;
use crate::sink::{HookSink, TracingSink};
use crate::state::PrivateState;
use crate::turn_budget::TurnBudget;
use crate::verdict::{Pending, Verdict};

/// How a session is opened.
#[derive(Clone)]
pub struct SessionOptions {
    /// The session's id, as hooks see it.
    pub id: String,
    /// Where log lines and events go, and the record of runs. Default: to `tracing`.
    pub sink: Arc<dyn HookSink>,
    /// Whom hooks ask. Default: nobody, so that every question is answered with no.
    pub approver: Arc<dyn Approver>,
    /// Keep changed values, not only their digests, in the trail. Default no: values may be
    /// secret.
    pub keep_values: bool,
}

impl SessionOptions {
    /// The defaults, for a session of this id.
    pub fn new(id: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            sink: Arc::new(TracingSink),
            approver: Arc::new(NobodyToAsk),
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

/// One agent session's hooks, with the instances that they keep warm. When it is dropped, and the
/// runs that nobody waits for have ended, so are they, and what they remembered of the session.
pub struct Session {
    chains: Chains,
    /// Those of the agent's parents, outermost first.
    parents: Vec<SessionLayer>,
    own: SessionLayer,
    options: SessionOptions,
    id: Arc<str>,
    watched: bool,
    background: Arc<Background>,
    turn: TurnBudget,
}

/// The hooks of one agent in a session.
struct SessionLayer {
    seats: Vec<Seat>,
    orders: Orders,
    settings: Arc<Settings>,
    opening: Arc<Opening>,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session")
            .field("options", &self.options)
            .field("chains", &self.chains)
            .finish_non_exhaustive()
    }
}

impl Session {
    pub(crate) fn open(hooks: &Hooks, options: SessionOptions) -> Self {
        let id = options.id.as_str().into();
        let own = SessionLayer::open(&hooks.layer, &id, &options.sink);
        let mut chains = Chains::default();
        own.chain(&mut chains);
        Self {
            chains,
            parents: Vec::new(),
            own,
            id,
            watched: options.sink.watches_runs(),
            background: hooks.background.clone(),
            turn: TurnBudget::new(hooks.layer.settings.turn),
            options,
        }
    }

    /// Puts other hooks behind those of the session: a sub-agent's behind its parents'. Within each
    /// agent's hooks the order is theirs.
    pub fn stack(&mut self, hooks: &Hooks) {
        let layer = SessionLayer::open(&hooks.layer, &self.id, &self.options.sink);
        layer.chain(&mut self.chains);
        self.parents.push(std::mem::replace(&mut self.own, layer));
    }

    /// Adds a native hook to those put in last, in its place by priority, `after` and id. For hooks
    /// that belong to this session alone; others are better put in with
    /// [`Hooks::with`](crate::Hooks::with).
    ///
    /// # Errors
    ///
    /// Its id is taken or none, or the order cannot be kept.
    pub fn add(&mut self, hook: NativeHook) -> Result<(), LoadErrors> {
        let file = std::path::PathBuf::from(format!("(native hook `{}`)", hook.id()));
        let wrong = |fault| LoadErrors(vec![LoadError::new(&file, Stage::Order, fault)]);
        let layer = &mut self.own;
        let handlers = hook.handlers.clone();
        let member = Member::native(hook, &layer.settings).map_err(wrong)?;
        layer.seats.push(Seat::new(member, handlers));
        let entries: Vec<_> = layer.seats.iter().map(|seat| seat.member.entry()).collect();
        let (orders, faults) = order::orders(&entries);
        if let Some(fault) = faults.into_iter().next() {
            layer.seats.pop();
            return Err(wrong(fault.fault));
        }
        layer.orders = orders;
        let mut chains = Chains::default();
        for layer in self.layers() {
            layer.chain(&mut chains);
        }
        self.chains = chains;
        Ok(())
    }

    /// The session's id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Whether any hook serves a point. Ask before you build a call: an unserved point then costs
    /// one branch.
    #[inline]
    pub fn serves<P: Point>(&self) -> bool {
        !P::chain(&self.chains).is_empty()
    }

    /// Whether any hook at a point may decide or change something, and not only look on.
    pub fn decides<P: Point>(&self) -> bool {
        P::chain(&self.chains).decides()
    }

    /// Runs a point's hooks over a call and says what they decided. What they changed is in the
    /// call.
    ///
    /// Where a person decides later ([`Decision::Pending`](crate::Decision)), those who look on
    /// have not run yet.
    pub async fn run<P: Point>(&self, call: &mut Call<P>) -> Verdict<P> {
        let mut verdict = self.decide(call).await;
        if !matches!(verdict.decision, crate::Decision::Pending(_)) {
            self.observe(call, &mut verdict).await;
        }
        verdict
    }

    /// Runs the hooks that decide, and leaves those that look on to [`Session::observe`]. For points
    /// where something happens between the two.
    pub async fn decide<P: Point>(&self, call: &mut Call<P>) -> Verdict<P> {
        let chain = P::chain(&self.chains);
        if chain.is_empty() {
            return Verdict::empty();
        }
        chain.decide(call, &self.around()).await
    }

    /// Goes on where the decision was left to a person, who now says this; as [`Session::decide`].
    ///
    /// The verdict holds the runs since the question. Whoever is to be told of those before, too,
    /// puts them in front: those who look on see who changed the value from the verdict that
    /// [`Session::observe`] is given.
    pub async fn answer<P: Point>(
        &self,
        call: &mut Call<P>,
        pending: Pending<P>,
        says: PersonSays,
    ) -> Verdict<P> {
        let chain = P::chain(&self.chains);
        chain.answer(call, &self.around(), pending, says).await
    }

    /// Runs the hooks that look on, now that it is decided.
    pub async fn observe<P: Point>(&self, call: &mut Call<P>, verdict: &mut Verdict<P>) {
        P::chain(&self.chains)
            .observe(call, &self.around(), verdict)
            .await;
    }

    fn around(&self) -> Surroundings<'_> {
        Surroundings {
            approver: &*self.options.approver,
            keep_values: self.options.keep_values,
            session: &self.id,
            sink: &self.options.sink,
            watched: self.watched,
            background: &self.background,
            turn: &self.turn,
        }
    }

    /// What hooks remember of the session, to be kept while it is suspended.
    pub fn private_state(&self) -> Vec<PrivateState> {
        self.layers().map(|layer| layer.opening.export()).collect()
    }

    /// Gives hooks back what they remembered of the session before it was suspended.
    pub fn restore(&mut self, states: Vec<PrivateState>) {
        for (layer, state) in self.layers().zip(states) {
            layer.opening.import(state);
        }
    }

    fn layers(&self) -> impl Iterator<Item = &SessionLayer> {
        self.parents.iter().chain([&self.own])
    }
}

impl SessionLayer {
    fn open(layer: &Layer, session: &Arc<str>, sink: &Arc<dyn HookSink>) -> Self {
        static OPENINGS: AtomicU64 = AtomicU64::new(1);
        let opening = Arc::new(Opening {
            number: OPENINGS.fetch_add(1, Ordering::Relaxed),
            state: layer.state.clone(),
        });
        let seats = layer
            .members
            .iter()
            .map(|member| {
                let handlers = match &member.body {
                    Body::Shared(handlers) => Handlers::clone(handlers),
                    Body::Component(loaded) => {
                        let hook = Arc::new(ComponentHook {
                            loaded: loaded.clone(),
                            session: session.clone(),
                            opening: opening.clone(),
                            sink: sink.clone(),
                            warm: Mutex::new(None),
                        });
                        Handlers::of_component(&hook, &member.points)
                    }
                };
                Seat::new(member.clone(), handlers)
            })
            .collect();
        Self {
            seats,
            orders: layer.orders.clone(),
            settings: layer.settings.clone(),
            opening,
        }
    }

    /// Puts the hooks into the chains of their points, behind those that are there.
    fn chain(&self, chains: &mut Chains) {
        for &point in PointId::ALL {
            for &index in self.orders.get(&point).into_iter().flatten() {
                if let Some(seat) = self.seats.get(index) {
                    let profile = &seat.member.standing.profile;
                    let breaker = seat.member.breaker();
                    seat.handlers
                        .chain(point, profile, seat.lane.as_ref(), breaker, chains);
                }
            }
        }
    }
}
