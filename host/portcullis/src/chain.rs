//! The hooks of one point, in order, and how they are run.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use crate::approval::{Approver, PersonSays, Question};
use crate::call::Call;
use crate::contract::{HookRole, Rejection};
use crate::hook::{Answer, Hook, Profile, Reply};
use crate::merge::{self, Flow};
use crate::points::{AskPerson, Point, for_each_point};
use crate::verdict::{Approval, Decision, Digest, Verdict};

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
        f.debug_list()
            .entries(self.members().map(|member| &member.profile.id))
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
pub(crate) struct Surroundings<'a> {
    pub(crate) approver: &'a dyn Approver,
    /// Keep changed values in the trail, not only their digests.
    pub(crate) keep_values: bool,
}

impl<P: Point> Chain<P> {
    /// Adds a hook behind those that are there already.
    pub fn push(&mut self, profile: Arc<Profile>, hook: Arc<dyn Hook<P>>) {
        let place = match profile.role {
            HookRole::Observe => &mut self.observing,
            HookRole::Gate | HookRole::Transform => &mut self.deciding,
        };
        place.push(Member { profile, hook });
    }

    /// Whether a hook that may decide serves the point.
    pub fn decides(&self) -> bool {
        !self.deciding.is_empty()
    }

    /// Whether no hook serves the point.
    pub fn is_empty(&self) -> bool {
        self.deciding.is_empty() && self.observing.is_empty()
    }

    fn members(&self) -> impl Iterator<Item = &Member<P>> {
        self.deciding.iter().chain(&self.observing)
    }

    pub(crate) async fn run(&self, call: &mut Call<P>, around: &Surroundings<'_>) -> Verdict<P> {
        let mut verdict = Verdict {
            decision: Decision::Passed,
            runs: Vec::with_capacity(self.deciding.len() + self.observing.len()),
        };
        let asks = self.decide(call, around, &mut verdict).await;
        if !asks.is_empty() {
            self.ask(call, around, asks, &mut verdict).await;
        }
        if !self.observing.is_empty() {
            self.observe(call, around, &mut verdict).await;
        }
        verdict
    }

    /// Runs the deciding hooks. Gives back what a person must still agree to: which run asked, and what.
    async fn decide(
        &self,
        call: &mut Call<P>,
        around: &Surroundings<'_>,
        verdict: &mut Verdict<P>,
    ) -> Vec<(usize, P::Ask)> {
        let mut asks = Vec::new();
        let mut replaced = false;
        let mut members = self.deciding.iter();
        let mut started = Instant::now();
        for member in members.by_ref() {
            // After a replace nobody changes the value any more, but every gate still sees it.
            if replaced && member.profile.role != HookRole::Gate {
                verdict.runs.push(merge::skipped(call, &member.profile));
                continue;
            }
            let answer = answer(&*member.hook, call).await;
            let ended = Instant::now();
            let (flow, run) = merge::merge(
                call,
                &member.profile,
                answer,
                ended - started,
                around.keep_values,
            );
            started = ended;
            verdict.runs.push(run);
            match flow {
                Flow::Next => {}
                Flow::Gates => replaced = true,
                Flow::NextThenAsk(ask) => asks.push((verdict.runs.len() - 1, ask)),
                Flow::End(decision) => {
                    verdict.decision = decision;
                    break;
                }
            }
        }
        for member in members {
            verdict.runs.push(merge::skipped(call, &member.profile));
        }
        match verdict.decision {
            Decision::Passed => asks,
            // Nothing goes ahead, so there is nothing to ask.
            _ => Vec::new(),
        }
    }

    /// Puts the questions, one after another. A person's change runs through the whole chain again,
    /// so that no hook has agreed to something else than what goes ahead; what hooks then ask is
    /// asked too, but for the hook whose question was just answered with that very value.
    async fn ask(
        &self,
        call: &mut Call<P>,
        around: &Surroundings<'_>,
        asks: Vec<(usize, P::Ask)>,
        verdict: &mut Verdict<P>,
    ) {
        let mut asks = VecDeque::from(asks);
        let mut changes = 0;
        while let Some((index, ask)) = asks.pop_front() {
            let Some(hook) = verdict.runs.get(index).map(|run| run.hook.clone()) else {
                continue;
            };
            let value = serde_json::to_string(&P::payload(call)).unwrap_or_default();
            let said = around
                .approver
                .ask(Question {
                    hook: &hook,
                    point: P::ID,
                    context: &call.context,
                    request: ask.request(),
                    value: &value,
                })
                .await;
            let refuse = |code: &str, reason: String| Decision::Rejected {
                by: hook.clone(),
                rejection: ask.refusal(Rejection {
                    code: code.into(),
                    reason,
                    details: None,
                }),
            };
            let mut change = None;
            let approval = match said {
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
            };
            if let Some(run) = verdict.runs.get_mut(index) {
                run.approval = Some(approval);
                run.change = change.clone();
            }
            if let Some(change) = change {
                changes += 1;
                let again = self.decide(call, around, verdict).await;
                let unchanged = change.after == Digest::of_payload(&P::payload(call));
                asks = again
                    .into_iter()
                    .filter(|(index, _)| {
                        let by_same = verdict.runs.get(*index).is_some_and(|run| run.hook == hook);
                        !(by_same && unchanged)
                    })
                    .collect();
            }
            if !verdict.decision.passed() {
                return;
            }
        }
    }

    async fn observe(
        &self,
        call: &mut Call<P>,
        around: &Surroundings<'_>,
        verdict: &mut Verdict<P>,
    ) {
        call.views.verdict = Some(Arc::new(verdict.view()));
        let mut started = Instant::now();
        for member in &self.observing {
            let answer = answer(&*member.hook, call).await;
            let ended = Instant::now();
            let (_, run) = merge::merge(
                call,
                &member.profile,
                answer,
                ended - started,
                around.keep_values,
            );
            started = ended;
            verdict.runs.push(run);
        }
        call.views.verdict = None;
    }
}

async fn answer<P: Point>(hook: &dyn Hook<P>, call: &Call<P>) -> Answer<P> {
    match hook.call(call) {
        Reply::Now(answer) => answer,
        Reply::Later(answer) => answer.await,
    }
}
