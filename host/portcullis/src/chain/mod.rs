//! The hooks of one point, in order, and how they are run.

mod ask;
pub(crate) mod background;
pub(crate) mod chains;
mod detached;
pub(crate) mod handlers;
pub(crate) mod merge;
pub(crate) mod order;
pub(crate) mod quarantine;
mod run;
pub(crate) mod turn_budget;
mod watch;

use std::collections::VecDeque;
use std::sync::Arc;

use self::ask::Open;
use self::run::{not_run, run};
use self::watch::Watch;
use crate::chain::background::{Background, RunQueue};
use crate::chain::merge::{Flow, Value};
use crate::chain::quarantine::Breaker;
use crate::chain::turn_budget::TurnBudget;
use crate::contract::HookRole;
use crate::model::approval::{ApprovalDecision, Approver};
use crate::model::call::Call;
use crate::model::failure::Cause;
use crate::model::hook::{Hook, Profile};
use crate::model::points::{OutcomeKind, Point};
use crate::model::purpose::Purpose;
use crate::model::sink::HookObserver;
use crate::model::verdict::{Asked, Decision, Pending, Verdict};

/// The hooks of one point.
pub(crate) struct Chain<P: Point> {
    /// Those that decide, in the order they run.
    deciding: Vec<Member<P>>,
    /// Those that observe once it is decided.
    observing: Vec<Member<P>>,
}

struct Member<P: Point> {
    profile: Arc<Profile>,
    hook: Arc<dyn Hook<P>>,
    /// Where its runs go, if they are detached.
    lane: Option<Arc<RunQueue>>,
    /// What its component did lately, if it is one.
    breaker: Option<Arc<Breaker>>,
}

impl<P: Point> Default for Chain<P> {
    fn default() -> Self {
        Self {
            deciding: Vec::new(),
            observing: Vec::new(),
        }
    }
}

impl<P: Point> std::fmt::Debug for Chain<P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let members = self.deciding.iter().chain(&self.observing);
        f.debug_list()
            .entries(members.map(|member| &member.profile.id))
            .finish()
    }
}

/// What a chain needs to know of its session to run.
pub(crate) struct ChainContext<'a> {
    pub(crate) approver: &'a dyn Approver,
    /// Keep changed values in the trail, not only their digests.
    pub(crate) keep_values: bool,
    pub(crate) session: &'a Arc<str>,
    pub(crate) sink: &'a Arc<dyn HookObserver>,
    /// Whether the sink wants to know of runs.
    pub(crate) watched: bool,
    pub(crate) background: &'a Arc<Background>,
    pub(crate) turn: &'a TurnBudget,
}

impl<P: Point> Chain<P> {
    /// Adds a hook behind those that are there already.
    pub(crate) fn push(
        &mut self,
        profile: Arc<Profile>,
        hook: Arc<dyn Hook<P>>,
        lane: Option<Arc<RunQueue>>,
        breaker: Option<Arc<Breaker>>,
    ) {
        let place = match profile.role {
            HookRole::Observe => &mut self.observing,
            HookRole::Gate | HookRole::Transform => &mut self.deciding,
        };
        place.push(Member {
            profile,
            hook,
            lane,
            breaker,
        });
    }

    /// Whether a hook that may decide serves the point.
    pub(crate) fn decides(&self) -> bool {
        !self.deciding.is_empty()
    }

    /// Whether no hook serves the point.
    pub(crate) fn is_empty(&self) -> bool {
        self.deciding.is_empty() && self.observing.is_empty()
    }

    /// Runs the hooks that decide, and asks whom they want asked.
    pub(crate) async fn decide(&self, call: &mut Call<P>, around: &ChainContext<'_>) -> Verdict<P> {
        if self.is_empty() {
            return Verdict::empty();
        }
        let mut verdict = Verdict {
            decision: Decision::Passed,
            runs: Vec::with_capacity(self.deciding.len() + self.observing.len()),
            side_outputs: Vec::new(),
        };
        let asks = self.run_deciding(call, around, &mut verdict).await;
        if !asks.is_empty() {
            // Seldom, so its future is not carried along.
            Box::pin(self.ask(call, around, asks, None, &mut verdict)).await;
        }
        verdict
    }

    /// Continues where a decision was left to a person, who now says this. The verdict has the runs until
    /// the question, if they are known.
    pub(crate) async fn answer(
        &self,
        call: &mut Call<P>,
        around: &ChainContext<'_>,
        pending: Pending<P>,
        says: ApprovalDecision,
        verdict: &mut Verdict<P>,
    ) {
        let asks = std::iter::once(pending.first)
            .chain(pending.rest)
            .map(|asked| Open {
                run: verdict.runs.iter().rposition(|run| {
                    run.hook == asked.by && run.outcome() == Some(OutcomeKind::Ask)
                }),
                asked,
            })
            .collect();
        self.ask(call, around, asks, Some(says), verdict).await;
    }

    /// Runs the deciding hooks. Gives back what a person must still agree to.
    async fn run_deciding(
        &self,
        call: &mut Call<P>,
        around: &ChainContext<'_>,
        verdict: &mut Verdict<P>,
    ) -> VecDeque<Open<P>> {
        let mut asks = VecDeque::new();
        // After a replace nobody changes the value any more, but every hook still sees it.
        let mut value = Value::Open;
        let mut members = self.deciding.iter();
        let mut watch = Watch::new(call, around, Purpose::Deciding);
        for member in members.by_ref() {
            match run(member, call, value, &mut watch, verdict).await {
                Flow::Next => {}
                Flow::Replaced => value = Value::Replaced,
                Flow::NextThenAsk(ask) => asks.push_back(Open {
                    asked: Asked {
                        by: member.profile.id.clone(),
                        ask,
                    },
                    run: Some(verdict.runs.len() - 1),
                }),
                Flow::End(decision) => {
                    verdict.decision = decision;
                    break;
                }
            }
        }
        let answered = P::ANSWERS_AS == OutcomeKind::Answer
            && matches!(verdict.decision, Decision::Answered { .. });
        for member in members {
            let run = watch.skipped(call, &member.profile);
            if answered {
                not_run(&member.profile, &run, Cause::Answered, false, around);
            }
            verdict.runs.push(run);
        }
        match verdict.decision {
            Decision::Passed => asks,
            // Nothing goes ahead, so there is nothing to ask.
            _ => VecDeque::new(),
        }
    }

    /// Runs the observing hooks, now that it is decided.
    pub(crate) async fn observe(
        &self,
        call: &mut Call<P>,
        around: &ChainContext<'_>,
        verdict: &mut Verdict<P>,
    ) {
        if self.observing.is_empty() {
            return;
        }
        call.views.verdict = Some(Arc::new(verdict.view()));
        let mut watch = Watch::new(call, around, Purpose::Observing);
        for member in &self.observing {
            match &member.lane {
                Some(lane) => detached::start(member, lane, call, &mut watch, verdict),
                // Observers decide nothing: `merge` ensures it.
                None => drop(run(member, call, Value::Open, &mut watch, verdict).await),
            }
        }
        call.views.verdict = None;
    }
}
