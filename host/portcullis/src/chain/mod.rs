//! The hooks of one point, in order, and the code that runs them.

mod ask;
pub(crate) mod background;
pub(crate) mod chains;
mod detached;
pub(crate) mod handlers;
pub(crate) mod merge;
mod one_run;
pub(crate) mod order;
pub(crate) mod pending;
mod progress;
pub(crate) mod quarantine;
mod record;
pub(crate) mod recorded;
mod run;
pub(crate) mod turn_budget;
mod watch;

use std::sync::Arc;

use futures::future::BoxFuture;

use crate::chain::background::{Background, RunQueue};
use crate::chain::handlers::HookEntry;
use crate::chain::pending::PendingRuns;
use crate::chain::quarantine::Breaker;
use crate::chain::turn_budget::TurnBudget;
use crate::contract::HookRole;
use crate::model::approval::{ApprovalDecision, Approver};
use crate::model::call::Call;
use crate::model::hook::{Hook, Profile};
use crate::model::points::Point;
use crate::model::purpose::Purpose;
use crate::model::secrets::AllSecrets;
use crate::model::sink::HookObserver;
use crate::model::verdict::{Pending, Verdict};

/// The hooks of one point.
pub(crate) struct Chain<P: Point> {
    /// The hooks that decide, in the order they run.
    deciding: Vec<Member<P>>,
    /// The hooks that observe after the decision.
    observing: Vec<Member<P>>,
    /// Runs a part of the chain. A pointer to code compiled in this crate: see [`chains`].
    run: Run<P>,
}

/// The part of a chain that is to run.
pub(crate) enum Part<P: Point> {
    /// The hooks that decide, and then those that observe, unless a person decides later.
    All,
    /// The hooks that decide.
    Deciding,
    /// The hooks that observe, after the decision.
    Observing,
    /// The rest of a chain after a person's answer to a pending decision. The verdict contains the
    /// runs before the question, if they are known.
    Answered(Pending<P>, ApprovalDecision),
}

type Run<P> = for<'a> fn(
    &'a Chain<P>,
    Part<P>,
    &'a mut Call<P>,
    &'a ChainContext,
    &'a mut Verdict<P>,
) -> Option<BoxFuture<'a, ()>>;

struct Member<P: Point> {
    profile: Arc<Profile>,
    purpose: Purpose,
    hook: Arc<dyn Hook<P>>,
    /// The queue of the hook's runs, if they are detached.
    run_queue: Option<Arc<RunQueue>>,
    /// The breaker of the hook's component, if the hook is one.
    breaker: Option<Arc<Breaker>>,
    /// Whether the hook's runs end soon, unless the chain must wait for them.
    ends_soon: bool,
}

impl<P: Point> std::fmt::Debug for Chain<P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let members = self.deciding.iter().chain(&self.observing);
        f.debug_list()
            .entries(members.map(|member| &member.profile.id))
            .finish()
    }
}

/// The run events that a session's sink receives.
#[derive(Clone, Copy)]
pub(crate) struct Watched {
    runs: bool,
    /// Whether the starts of runs are reported before the hooks are called.
    starts: bool,
    /// Whether reports contain the digests of the hooks' inputs.
    digests: bool,
}

impl Watched {
    /// Returns the events that this sink receives.
    pub(crate) fn by(sink: &dyn HookObserver) -> Self {
        let runs = sink.watches_runs();
        Self {
            runs,
            starts: runs && sink.watches_starts(),
            digests: runs && sink.digests_inputs(),
        }
    }
}

/// The data of a session that a chain needs to run.
pub(crate) struct ChainContext {
    pub(crate) approver: Arc<dyn Approver>,
    /// Whether the trail keeps changed values, and not only their digests.
    pub(crate) keep_values: bool,
    /// The secrets of all hooks of the session.
    pub(crate) secrets: Arc<AllSecrets>,
    pub(crate) session: Arc<str>,
    pub(crate) sink: Arc<dyn HookObserver>,
    pub(crate) watched: Watched,
    pub(crate) background: Arc<Background>,
    pub(crate) runs: PendingRuns,
    pub(crate) turn: TurnBudget,
}

impl ChainContext {
    /// Returns the secrets that are redacted in kept values; `None` keeps no values.
    #[inline]
    pub(crate) fn kept(&self) -> Option<&Arc<AllSecrets>> {
        self.keep_values.then_some(&self.secrets)
    }
}

impl<P: Point> Chain<P> {
    /// Creates a chain without hooks.
    fn new() -> Self {
        Self {
            deciding: Vec::new(),
            observing: Vec::new(),
            run: run::run,
        }
    }

    /// Adds a hook after the existing ones.
    pub(crate) fn push(&mut self, hook: Arc<dyn Hook<P>>, entry: HookEntry<'_>) {
        let members = match entry.profile.role {
            HookRole::Observe => &mut self.observing,
            HookRole::Gate | HookRole::Transform => &mut self.deciding,
        };
        members.push(Member {
            profile: entry.profile.clone(),
            purpose: entry.purpose,
            hook,
            run_queue: entry.run_queue.cloned(),
            breaker: entry.breaker.cloned(),
            ends_soon: entry.ends_soon,
        });
    }

    /// Returns whether a hook that may decide serves the point.
    pub(crate) fn decides(&self) -> bool {
        !self.deciding.is_empty()
    }

    /// Runs a part of the chain. Returns a future of the rest if the chain must wait.
    #[inline]
    pub(crate) fn run<'a>(
        &'a self,
        part: Part<P>,
        call: &'a mut Call<P>,
        cx: &'a ChainContext,
        verdict: &'a mut Verdict<P>,
    ) -> Option<BoxFuture<'a, ()>> {
        (self.run)(self, part, call, cx, verdict)
    }
}
