//! The hooks of one point, in order, and how they are run.

use std::collections::VecDeque;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures::FutureExt as _;

use crate::approval::{Approver, PersonSays, Question};
use crate::background::{Background, Lane, Work};
use crate::call::Call;
use crate::contract::{HookRole, Rejection};
use crate::failure::Failure;
use crate::hook::{Answer, Hook, Profile, Reply};
use crate::merge::{self, Flow, Merged};
use crate::metrics;
use crate::points::{AskPerson, Point, for_each_point};
use crate::quarantine::{Admitted, Breaker, Changed, QuarantineChange};
use crate::sink::{HookSink, NotRun, RunStarted};
use crate::turn_budget::TurnBudget;
use crate::verdict::{Approval, Asked, Decision, Digest, HookRun, Pending, RunStatus, Verdict};

/// The code of the refusal that a person's "no" becomes.
const DENIED: &str = "denied";

/// The code of the refusal that a person's change becomes if it cannot be used.
const INVALID_CHANGE: &str = "invalid-change";
/// How often a person may change one value.
const MOST_CHANGES: u32 = 4;

/// The hooks of one point.
pub struct Chain<P: Point> {
    /// Those that decide, in the order they run.
    deciding: Vec<Member<P>>,
    /// Those that look on once it is decided.
    observing: Vec<Member<P>>,
}

struct Member<P: Point> {
    profile: Arc<Profile>,
    hook: Arc<dyn Hook<P>>,
    /// Where its runs go, if nobody waits for them.
    lane: Option<Arc<Lane>>,
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

macro_rules! define_chains {
    ($($point:ident, $module:ident, $name:literal;)*) => {
        /// One chain for every point.
        #[derive(Debug, Default)]
        pub struct Chains {
            $(
                #[doc = concat!("The chain of `", $name, "`.")]
                pub(crate) $module: Chain<crate::points::$point>,
            )*
        }
    };
}
for_each_point!(define_chains);

/// What a chain needs to know of its session to run.
#[derive(Clone, Copy)]
pub(crate) struct Surroundings<'a> {
    pub(crate) approver: &'a dyn Approver,
    /// Keep changed values in the trail, not only their digests.
    pub(crate) keep_values: bool,
    pub(crate) session: &'a Arc<str>,
    pub(crate) sink: &'a Arc<dyn HookSink>,
    /// Whether the sink wants to know of runs.
    pub(crate) watched: bool,
    pub(crate) background: &'a Arc<Background>,
    pub(crate) turn: &'a TurnBudget,
}

/// A hook's question, and the run that asked it where that is part of the same verdict.
struct Open<P: Point> {
    asked: Asked<P>,
    run: Option<usize>,
}

impl<P: Point> Chain<P> {
    /// Adds a hook behind those that are there already.
    pub(crate) fn push(
        &mut self,
        profile: Arc<Profile>,
        hook: Arc<dyn Hook<P>>,
        lane: Option<Arc<Lane>>,
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
    pub fn decides(&self) -> bool {
        !self.deciding.is_empty()
    }

    /// Whether no hook serves the point.
    pub fn is_empty(&self) -> bool {
        self.deciding.is_empty() && self.observing.is_empty()
    }

    /// Runs the hooks that decide, and asks whom they want asked.
    pub(crate) async fn decide(&self, call: &mut Call<P>, around: Surroundings<'_>) -> Verdict<P> {
        let mut verdict = Verdict {
            decision: Decision::Passed,
            runs: Vec::with_capacity(self.deciding.len() + self.observing.len()),
            asides: Vec::new(),
        };
        let asks = self.run_deciding(call, around, &mut verdict).await;
        if !asks.is_empty() {
            self.ask(call, around, asks, None, &mut verdict).await;
        }
        verdict
    }

    /// Goes on where a decision was left to a person, who now says this.
    pub(crate) async fn answer(
        &self,
        call: &mut Call<P>,
        around: Surroundings<'_>,
        pending: Pending<P>,
        says: PersonSays,
    ) -> Verdict<P> {
        let mut verdict = Verdict::empty();
        let asks = std::iter::once(pending.first)
            .chain(pending.rest)
            .map(|asked| Open { asked, run: None })
            .collect();
        self.ask(call, around, asks, Some(says), &mut verdict).await;
        verdict
    }

    /// Runs the deciding hooks. Gives back what a person must still agree to.
    async fn run_deciding(
        &self,
        call: &mut Call<P>,
        around: Surroundings<'_>,
        verdict: &mut Verdict<P>,
    ) -> VecDeque<Open<P>> {
        let mut asks = VecDeque::new();
        let mut replaced = false;
        let mut members = self.deciding.iter();
        let mut watch = Watch::new(call, around);
        let mut started = Instant::now();
        for member in members.by_ref() {
            // After a replace nobody changes the value any more, but every gate still sees it.
            if replaced && member.profile.role != HookRole::Gate {
                watch.skipped(call, &member.profile, verdict);
                continue;
            }
            let id = watch.started(call, &member.profile);
            let (answer, admitted) = attempt(member, call, around.turn).await;
            let ended = Instant::now();
            member.spend(call, around.turn, ended - started, answer.fuel);
            let Merged { flow, run, asides } = merge::merge(
                call,
                &member.profile,
                answer,
                ended - started,
                around.keep_values,
            );
            started = ended;
            settle(admitted, &run, around.session, &**around.sink);
            not_run(&member.profile, &run, around);
            verdict.asides.extend(asides);
            watch.ended(id, run, verdict);
            match flow {
                Flow::Next => {}
                Flow::Gates => replaced = true,
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
        for member in members {
            watch.skipped(call, &member.profile, verdict);
        }
        match verdict.decision {
            Decision::Passed => asks,
            // Nothing goes ahead, so there is nothing to ask.
            _ => VecDeque::new(),
        }
    }

    /// Puts the questions, one after another; the first is answered already where `said` is given.
    /// A person's change runs through the whole chain again, so that no hook has agreed to
    /// something else than what goes ahead; what hooks then ask is asked too, but for the hook
    /// whose question was just answered with that very value.
    async fn ask(
        &self,
        call: &mut Call<P>,
        around: Surroundings<'_>,
        mut asks: VecDeque<Open<P>>,
        mut said: Option<PersonSays>,
        verdict: &mut Verdict<P>,
    ) {
        let mut changes = 0;
        while let Some(open) = asks.pop_front() {
            let Asked { by: hook, ask } = &open.asked;
            let says = match said.take() {
                Some(says) => says,
                None => {
                    let value = serde_json::to_string(&P::payload(call)).unwrap_or_default();
                    let question = Question {
                        hook,
                        point: P::ID,
                        context: &call.context,
                        request: ask.request(),
                        value: &value,
                    };
                    around.approver.ask(question).await
                }
            };
            let refuse = |code: &str, reason: String| Decision::Rejected {
                by: hook.clone(),
                rejection: ask.refusal(Rejection {
                    code: code.into(),
                    reason,
                    details: None,
                }),
            };
            let mut change = None;
            let approval = match says {
                PersonSays::Yes => Approval::Approved,
                PersonSays::No(reason) => {
                    verdict.decision = refuse(DENIED, reason);
                    Approval::Denied
                }
                PersonSays::Change(_) if changes == MOST_CHANGES => {
                    let reason = format!("it was changed {MOST_CHANGES} times already");
                    verdict.decision = refuse(INVALID_CHANGE, reason);
                    Approval::Denied
                }
                PersonSays::Change(text) => {
                    match merge::change(call, ask.changed(text), around.keep_values) {
                        Ok(changed) => change = Some(changed),
                        Err(failure) => {
                            verdict.decision = refuse(INVALID_CHANGE, failure.to_string());
                        }
                    }
                    Approval::Changed
                }
                PersonSays::Later => {
                    verdict.decision = Decision::Pending(Pending {
                        first: open.asked,
                        rest: asks.into_iter().map(|open| open.asked).collect(),
                    });
                    return;
                }
            };
            if let Some(run) = open.run.and_then(|run| verdict.runs.get_mut(run)) {
                run.approval = Some(approval);
                run.change = change.clone();
            }
            if let Some(change) = change {
                changes += 1;
                let again = self.run_deciding(call, around, verdict).await;
                let unchanged = change.after == Digest::of_payload(&P::payload(call));
                asks = again
                    .into_iter()
                    .filter(|again| !(again.asked.by == *hook && unchanged))
                    .collect();
            }
            if !verdict.decision.passed() {
                return;
            }
        }
    }

    /// Runs the hooks that look on, now that it is decided.
    pub(crate) async fn observe(
        &self,
        call: &mut Call<P>,
        around: Surroundings<'_>,
        verdict: &mut Verdict<P>,
    ) {
        if self.observing.is_empty() {
            return;
        }
        call.views.verdict = Some(Arc::new(verdict.view()));
        let mut watch = Watch::new(call, around);
        let mut started = Instant::now();
        for member in &self.observing {
            if let Some(lane) = &member.lane {
                detach(member, lane, call, &mut watch, verdict);
                continue;
            }
            let id = watch.started(call, &member.profile);
            let (answer, admitted) = attempt(member, call, around.turn).await;
            let ended = Instant::now();
            member.spend(call, around.turn, ended - started, answer.fuel);
            let Merged { run, asides, .. } = merge::merge(
                call,
                &member.profile,
                answer,
                ended - started,
                around.keep_values,
            );
            started = ended;
            settle(admitted, &run, around.session, &**around.sink);
            not_run(&member.profile, &run, around);
            verdict.asides.extend(asides);
            watch.ended(id, run, verdict);
        }
        call.views.verdict = None;
    }
}

/// Starts a run that nobody waits for.
fn detach<P: Point>(
    member: &Member<P>,
    lane: &Lane,
    call: &Call<P>,
    watch: &mut Watch<'_>,
    verdict: &mut Verdict<P>,
) {
    let id = watch.started(call, &member.profile);
    let background = watch.around.background;
    let mut run = merge::skipped(call, &member.profile);
    match background.place(lane, member.profile.execution) {
        Ok(place) => {
            let work = detached(member, call, watch, id);
            run.status = RunStatus::Backgrounded;
            // Told first: the run may end before this goes on.
            watch.ended(id, run, verdict);
            place.fill(work);
        }
        Err(why) => {
            let failure = Failure::Overload(why.to_string());
            tracing::warn!(hook = %member.profile.id, point = %P::ID, "a hook did not run: {failure}");
            run.status = RunStatus::Failed {
                cause: failure.cause(),
                message: failure.to_string().into(),
                fatal: false,
            };
            watch.ended(id, run, verdict);
        }
    }
}

/// A run by itself, which tells its end to the sink.
fn detached<P: Point>(member: &Member<P>, call: &Call<P>, watch: &Watch<'_>, id: u64) -> Work {
    let (hook, profile) = (member.hook.clone(), member.profile.clone());
    let (sink, session) = (watch.around.sink.clone(), watch.around.session.clone());
    let breaker = member.breaker.clone();
    let (mut call, input) = (call.clone(), watch.input);
    Box::pin(async move {
        let started = Instant::now();
        let (answer, admitted) = match admit(breaker.as_deref()) {
            Ok(admitted) => {
                // Whatever becomes of it, its end is told.
                let answered = AssertUnwindSafe(answer(&*hook, &call)).catch_unwind().await;
                let panicked = |_| failed(Failure::Host("the hook's code panicked".into()));
                (answered.unwrap_or_else(panicked), admitted)
            }
            Err(failure) => (failed(failure), None),
        };
        let merged = merge::merge(&mut call, &profile, answer, started.elapsed(), false);
        settle(admitted, &merged.run, &session, &*sink);
        if !merged.asides.is_empty() {
            sink.contributed(&session, &merged.asides);
        }
        let run = HookRun {
            id,
            input,
            ..merged.run
        };
        sink.ended_later(&session, &run);
    })
}

/// Calls a hook, unless its component is in quarantine or the turn's budget is used up.
async fn attempt<'m, P: Point>(
    member: &'m Member<P>,
    call: &Call<P>,
    turn: &TurnBudget,
) -> (Answer<P>, Option<Admitted<'m>>) {
    let admitted = match &member.breaker {
        None => Ok(None),
        // In this order, so that a quarantine is not tried by a call that is not made.
        Some(breaker) => turn
            .check(call.context.turn)
            .and_then(|()| admit(Some(&**breaker))),
    };
    match admitted {
        Ok(admitted) => (answer(&*member.hook, call).await, admitted),
        Err(failure) => (failed(failure), None),
    }
}

fn admit(breaker: Option<&Breaker>) -> Result<Option<Admitted<'_>>, Failure> {
    breaker.map(Breaker::admit).transpose()
}

fn failed<P: Point>(failure: Failure) -> Answer<P> {
    Answer {
        outcome: Err(failure),
        fuel: None,
        effects: None,
    }
}

/// Takes down how a call of a component ended, and tells what that changed for all sessions.
fn settle(admitted: Option<Admitted<'_>>, run: &HookRun, session: &str, sink: &dyn HookSink) {
    let Some(changed) = admitted.and_then(|admitted| admitted.settle(&run.status)) else {
        return;
    };
    let (cause, failures) = match changed {
        Changed::Entered { cause, failures } => {
            tracing::error!(hook = %run.hook, %cause, failures, "a hook is in quarantine");
            (Some(cause), failures)
        }
        Changed::Left { failures } => {
            tracing::info!(hook = %run.hook, failures, "a hook has left quarantine");
            (None, failures)
        }
    };
    sink.quarantine(QuarantineChange {
        hook: &run.hook,
        component: run.component,
        session,
        turn: run.turn,
        step: run.step,
        cause,
        failures,
    });
}

/// Tells that a guard did not do its work.
fn not_run(profile: &Profile, run: &HookRun, around: Surroundings<'_>) {
    let RunStatus::Failed { cause, fatal, .. } = &run.status else {
        return;
    };
    if profile.role == HookRole::Observe {
        return;
    }
    metrics::guard_did_not_run(run, *cause, *fatal);
    around.sink.did_not_run(NotRun {
        hook: &run.hook,
        point: run.point,
        session: around.session,
        turn: run.turn,
        step: run.step,
        cause: *cause,
        refused: *fatal,
    });
}

impl<P: Point> Member<P> {
    /// Takes down what a call of a component took.
    fn spend(&self, call: &Call<P>, turn: &TurnBudget, time: Duration, fuel: Option<u64>) {
        if self.breaker.is_some() {
            turn.spend(call.context.turn, time, fuel);
        }
    }
}

async fn answer<P: Point>(hook: &dyn Hook<P>, call: &Call<P>) -> Answer<P> {
    match hook.call(call) {
        Reply::Now(answer) => answer,
        Reply::Later(answer) => answer.await,
    }
}

/// Tells the sink of runs, if it wants to know.
struct Watch<'a> {
    around: Surroundings<'a>,
    /// The digest of the value as it is now.
    input: Option<Digest>,
}

impl<'a> Watch<'a> {
    fn new<P: Point>(call: &Call<P>, around: Surroundings<'a>) -> Self {
        let input = around
            .watched
            .then(|| Digest::of_payload(&P::payload(call)));
        Self { around, input }
    }

    fn started<P: Point>(&self, call: &Call<P>, profile: &Profile) -> u64 {
        static RUNS: AtomicU64 = AtomicU64::new(1);
        if !self.around.watched {
            return 0;
        }
        let id = RUNS.fetch_add(1, Ordering::Relaxed);
        self.around.sink.started(&RunStarted {
            id,
            session: self.around.session,
            turn: call.context.turn,
            step: call.context.step,
            point: P::ID,
            hook: &profile.id,
            component: profile.component,
            input: self.input,
        });
        id
    }

    fn ended<P: Point>(&mut self, id: u64, mut run: HookRun, verdict: &mut Verdict<P>) {
        if self.around.watched {
            run.id = id;
            run.input = self.input;
            if let Some(change) = &run.change {
                self.input = Some(change.after);
            }
            self.around.sink.ended(self.around.session, &run);
        }
        verdict.runs.push(run);
    }

    fn skipped<P: Point>(&mut self, call: &Call<P>, profile: &Profile, verdict: &mut Verdict<P>) {
        let id = match self.around.watched {
            true => self.started(call, profile),
            false => 0,
        };
        let run = merge::skipped(call, profile);
        self.ended(id, run, verdict);
    }
}
