//! One run of one hook.

use std::time::Duration;

use super::record::Kept;
use super::watch::{Opened, Watch};
use super::{ChainContext, Member, record};
use crate::chain::merge::{self, Flow, Rules, Value};
use crate::chain::quarantine::{Admitted, Breaker, Changed};
use crate::contract::HookRole;
use crate::model::call::Call;
use crate::model::failure::{Cause, Failure};
use crate::model::given::Given;
use crate::model::hook::{Answer, Profile, Response};
use crate::model::metrics;
use crate::model::points::Point;
use crate::model::purpose::Purpose;
use crate::model::sink::{HookObserver, NotRun, QuarantineChange};
use crate::model::verdict::{HookRun, RunStatus, Verdict};

/// A run that has begun.
pub(super) struct Begun<'a> {
    opened: Opened,
    /// The permit of the call, which only a component needs; or the reason why the call may not be
    /// made.
    admitted: Result<Option<Admitted<'a>>, Box<Failure>>,
}

impl Begun<'_> {
    /// Notes that the chain waits for the hook.
    pub(super) fn wait<P: Point>(
        &mut self,
        member: &Member<P>,
        call: &mut Call<P>,
        watch: &mut Watch<'_>,
    ) {
        watch.wait(&mut self.opened, call, &member.profile);
    }
}

/// A hook, and its position in its chain.
pub(super) struct Stand<'a, P: Point> {
    pub(super) member: &'a Member<P>,
    pub(super) value: Value,
    /// The deciding hooks after the member.
    pub(super) behind: &'a [Member<P>],
}

impl<'a, P: Point> Stand<'a, P> {
    #[inline(always)]
    fn rules<'r>(&self, watch: &Watch<'r>) -> Rules<'r>
    where
        'a: 'r,
    {
        Rules {
            profile: &self.member.profile,
            value: self.value,
            kept: watch.cx.kept().map(|secrets| &**secrets),
        }
    }
}

/// Records the hooks that would not have run. Called before the run is reported, so that the report
/// contains them.
#[cold]
fn would_not_run<P: Point>(run: &mut HookRun, behind: &[Member<P>]) {
    if let Some(would) = run.would.as_deref_mut() {
        let ids = behind.iter().map(|member| member.profile.id.clone());
        would.not_run = ids.collect();
    }
}

/// Begins the run of a hook.
#[inline(always)]
pub(super) fn begin<'m, P: Point>(
    member: &'m Member<P>,
    call: &mut Call<P>,
    watch: &mut Watch<'_>,
) -> Begun<'m> {
    let opened = watch.open(call, &member.profile, member.ends_soon);
    admit(opened, member.purpose, member.breaker.as_deref(), watch)
}

/// Checks whether a hook may be called.
#[inline(always)]
fn admit<'m>(
    opened: Opened,
    purpose: Purpose,
    breaker: Option<&'m Breaker>,
    watch: &mut Watch<'_>,
) -> Begun<'m> {
    watch.spending.switch(purpose);
    let admitted = match breaker {
        None => Ok(None),
        // The budget first, so that a call that exceeds it does not try the quarantined component.
        Some(breaker) => watch
            .spending
            .check()
            .and_then(|()| breaker.admit().map(Some)),
    };
    let admitted = admitted.map_err(Box::new);
    watch.begin();
    Begun { opened, admitted }
}

/// Calls a hook, if it may be called. The caller awaits the response, so that this function needs
/// no future of its own.
#[inline(always)]
pub(super) fn respond<'m, P: Point>(
    member: &'m Member<P>,
    begun: &Begun<'m>,
    call: &Call<P>,
) -> Response<'m, P> {
    if let Err(failure) = &begun.admitted {
        return Response::Ready(Err(Failure::clone(failure)).into());
    }
    match member.profile.deadline {
        None => member.hook.call(call),
        Some(limit) => limited(member.hook.call(call), limit),
    }
}

/// Returns the response with a time limit, after which it is a failure.
fn limited<P: Point>(response: Response<'_, P>, limit: Duration) -> Response<'_, P> {
    let Response::Future(answer) = response else {
        return response;
    };
    Response::Future(Box::pin(async move {
        let answered = tokio::time::timeout(limit, answer).await;
        answered.unwrap_or_else(|_| Err(Failure::WallClock(limit)).into())
    }))
}

/// Merges a hook's answer, and records its run.
#[inline(always)]
pub(super) fn finish<P: Point>(
    stand: Stand<'_, P>,
    begun: Begun<'_>,
    answer: &mut Answer<P>,
    call: &mut Call<P>,
    watch: &mut Watch<'_>,
    verdict: &mut Verdict<P>,
) -> Flow<P> {
    let kept = record::begin(answer, call);
    let given = watch.given(begun.opened, answer, call);
    let rules = stand.rules(watch);
    let run = HookRun::add(&mut verdict.runs, P::ID, &call.context, rules.profile);
    let flow = merge::merge(call, rules, answer, run, &mut verdict.side_outputs);
    complete(&stand, begun, (given, kept), call, &flow, run, watch);
    flow
}

/// Does the same as [`finish`] for an answer that counts once the store of hooks' state has the
/// call's writes.
pub(super) async fn finish_stored<P: Point>(
    stand: Stand<'_, P>,
    begun: Begun<'_>,
    answer: &mut Answer<P>,
    call: &mut Call<P>,
    watch: &mut Watch<'_>,
    verdict: &mut Verdict<P>,
) -> Flow<P> {
    let kept = record::begin(answer, call);
    let given = watch.given(begun.opened, answer, call);
    let rules = stand.rules(watch);
    let run = HookRun::add(&mut verdict.runs, P::ID, &call.context, rules.profile);
    let flow = merge::merge_stored(call, rules, answer, run, &mut verdict.side_outputs).await;
    complete(&stand, begun, (given, kept), call, &flow, run, watch);
    flow
}

/// Completes the record of a run. Reports the run, and the call if calls are recorded.
#[inline(always)]
fn complete<P: Point>(
    stand: &Stand<'_, P>,
    begun: Begun<'_>,
    (given, kept): (Option<Given>, Option<Kept<P>>),
    call: &Call<P>,
    flow: &Flow<P>,
    run: &mut HookRun,
    watch: &mut Watch<'_>,
) {
    let member = stand.member;
    if let Flow::WouldEnd = flow {
        would_not_run(run, stand.behind);
    }
    let (profile, opened) = (&member.profile, begun.opened);
    report(profile, member.breaker.is_some(), begun, run, watch);
    watch.ended(opened, call, given.as_ref(), profile, run);
    if let Some(kept) = kept {
        let to = (&watch.cx.session, &*watch.cx.sink);
        kept.end(profile, call, flow, run, watch.ended_at(), to);
    }
}

/// Reports a run that has ended: to the turn's budget and the quarantine, and to the observer if a guard did not run.
#[inline(always)]
fn report(
    profile: &Profile,
    is_component: bool,
    begun: Begun<'_>,
    run: &mut HookRun,
    watch: &mut Watch<'_>,
) {
    let cx = watch.cx;
    // The host's work on an answer is part of its run: the larger the answer, the longer it takes.
    run.latency = watch.end();
    if is_component {
        watch.spending.add(run.latency, run.fuel);
    }
    settle(begun.admitted.ok().flatten(), run, &cx.session, &*cx.sink);
    if let Some((cause, refused)) = undone(&run.status) {
        not_run(profile, run, cause, refused, cx);
    }
}

/// Records how a component call ended, and reports its effect on all sessions.
#[inline(always)]
pub(super) fn settle(
    admitted: Option<Admitted<'_>>,
    run: &HookRun,
    session: &str,
    sink: &dyn HookObserver,
) {
    if run.restarted {
        metrics::restarted(run);
    }
    if let Some(changed) = admitted.and_then(|admitted| admitted.settle(&run.status)) {
        quarantine_changed(changed, run, session, sink);
    }
}

#[cold]
fn quarantine_changed(changed: Changed, run: &HookRun, session: &str, sink: &dyn HookObserver) {
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

/// Returns the cause of a run without effect, and whether the operation was refused because of it.
#[inline(always)]
fn undone(status: &RunStatus) -> Option<(Cause, bool)> {
    match status {
        RunStatus::Failed { cause, fatal, .. } => Some((*cause, *fatal)),
        RunStatus::NotApplied { .. } => Some((Cause::Replaced, false)),
        RunStatus::Completed { .. } | RunStatus::Skipped | RunStatus::Backgrounded => None,
    }
}

/// Reports that a guard did not do its work.
pub(super) fn not_run(
    profile: &Profile,
    run: &HookRun,
    cause: Cause,
    refused: bool,
    cx: &ChainContext,
) {
    if profile.role == HookRole::Observe {
        return;
    }
    metrics::guard_did_not_run(run, cause, refused);
    cx.sink.on_guard_skipped(NotRun {
        hook: &run.hook,
        point: run.point,
        session: &cx.session,
        turn: run.turn,
        step: run.step,
        cause,
        refused,
    });
}
