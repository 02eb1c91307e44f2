//! The hooks of one point, in order, and how they are run.

mod ask;
pub(crate) mod background;
pub(crate) mod chains;
mod detached;
pub(crate) mod handlers;
pub(crate) mod merge;
pub(crate) mod order;
pub(crate) mod pending;
pub(crate) mod quarantine;
mod record;
pub(crate) mod recorded;
mod run;
pub(crate) mod turn_budget;
mod watch;

use std::sync::Arc;

use self::ask::Open;
use self::run::{Stand, begin, finish, finish_stored, not_run, respond};
use self::watch::Watch;
use crate::chain::background::{Background, RunQueue};
use crate::chain::merge::{Flow, Value};
use crate::chain::pending::PendingRuns;
use crate::chain::quarantine::Breaker;
use crate::chain::turn_budget::TurnBudget;
use crate::contract::HookRole;
use crate::model::approval::{ApprovalDecision, Approver};
use crate::model::call::Call;
use crate::model::failure::Cause;
use crate::model::hook::{Hook, Profile, Response};
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
    purpose: Purpose,
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
    /// Whether the runs that it gets have the digests of what hooks are given.
    pub(crate) digested: bool,
    pub(crate) background: &'a Arc<Background>,
    pub(crate) runs: &'a PendingRuns,
    pub(crate) turn: &'a TurnBudget,
}

impl<P: Point> Chain<P> {
    /// Adds a hook behind those that are there already.
    pub(crate) fn push(
        &mut self,
        profile: Arc<Profile>,
        purpose: Purpose,
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
            purpose,
            hook,
            lane,
            breaker,
        });
    }

    /// Whether a hook that may decide serves the point.
    pub(crate) fn decides(&self) -> bool {
        !self.deciding.is_empty()
    }

    /// Runs the hooks that decide, and asks whom they want asked.
    pub(crate) async fn decide(
        &self,
        call: &mut Call<P>,
        cx: &ChainContext<'_>,
        verdict: &mut Verdict<P>,
    ) {
        verdict.runs = Vec::with_capacity(self.deciding.len() + self.observing.len());
        let asks = self.run_deciding(call, cx, verdict).await;
        if !asks.is_empty() {
            // Seldom, so its future is not carried along.
            Box::pin(self.ask(call, cx, asks, None, verdict)).await;
        }
    }

    /// Continues where a decision was left to a person, who now says this. The verdict has the runs until
    /// the question, if they are known.
    pub(crate) async fn answer(
        &self,
        call: &mut Call<P>,
        cx: &ChainContext<'_>,
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
        self.ask(call, cx, asks, Some(says), verdict).await;
    }

    /// Runs the deciding hooks. Gives back what a person must still agree to.
    async fn run_deciding(
        &self,
        call: &mut Call<P>,
        cx: &ChainContext<'_>,
        verdict: &mut Verdict<P>,
    ) -> Vec<Open<P>> {
        let mut asks = Vec::new();
        // After a replace nobody changes the value any more, but every hook still sees it.
        let mut value = Value::Open;
        let mut members = self.deciding.iter();
        let mut watch = Watch::new(call, cx, Purpose::Deciding);
        while let Some(member) = members.next() {
            let mut begun = begin(member, call, &mut watch);
            let mut stored = false;
            let answer = &mut match respond(member, &mut begun, call) {
                Response::Ready(answer) => answer,
                Response::Future(answer) => {
                    let answer = answer.await;
                    stored = answer.waits_for_store();
                    answer
                }
            };
            let watch = &mut watch;
            let stand = Stand {
                member,
                value,
                behind: members.as_slice(),
            };
            let flow = match stored {
                false => finish(stand, begun, answer, call, watch, verdict),
                // Seldom, so its future is not carried along.
                true => Box::pin(finish_stored(stand, begun, answer, call, watch, verdict)).await,
            };
            match flow {
                Flow::Next | Flow::WouldEnd => {}
                Flow::Replaced => value = Value::Replaced,
                Flow::NextThenAsk(ask) => asks.push(Open {
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
                not_run(&member.profile, &run, Cause::Answered, false, cx);
            }
            verdict.runs.push(run);
        }
        match verdict.decision {
            Decision::Passed => asks,
            // Nothing goes ahead, so there is nothing to ask.
            _ => Vec::new(),
        }
    }

    /// Runs the observing hooks, now that it is decided.
    pub(crate) async fn observe(
        &self,
        call: &mut Call<P>,
        cx: &ChainContext<'_>,
        verdict: &mut Verdict<P>,
    ) {
        if self.observing.is_empty() {
            return;
        }
        // A call that is made again has the verdict of that time.
        if call.views.verdict.is_none() {
            call.views.verdict = Some(Arc::new(verdict.view()));
        }
        let mut watch = Watch::new(call, cx, Purpose::Observing);
        for member in &self.observing {
            if let Some(lane) = &member.lane {
                detached::start(member, lane, call, &mut watch, verdict);
                continue;
            }
            let mut begun = begin(member, call, &mut watch);
            let mut stored = false;
            let answer = &mut match respond(member, &mut begun, call) {
                Response::Ready(answer) => answer,
                Response::Future(answer) => {
                    let answer = answer.await;
                    stored = answer.waits_for_store();
                    answer
                }
            };
            // Observers decide nothing: `merge` ensures it.
            let watch = &mut watch;
            let stand = Stand {
                member,
                value: Value::Open,
                behind: &[],
            };
            let _ = match stored {
                false => finish(stand, begun, answer, call, watch, verdict),
                // Seldom, so its future is not carried along.
                true => Box::pin(finish_stored(stand, begun, answer, call, watch, verdict)).await,
            };
        }
        call.views.verdict = None;
    }
}
