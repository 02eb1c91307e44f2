//! One run of one hook.

use std::any::Any;
use std::panic::{self, AssertUnwindSafe};
use std::time::Duration;

use futures::FutureExt as _;
use futures::future::BoxFuture;

use super::watch::Watch;
use super::{ChainContext, Member, record};
use crate::chain::merge::{self, Flow, Rules, Value};
use crate::chain::quarantine::{Admitted, Changed};
use crate::contract::HookRole;
use crate::model::call::Call;
use crate::model::failure::{Cause, Failure};
use crate::model::hook::{Answer, Hook, Profile, Response};
use crate::model::metrics;
use crate::model::points::Point;
use crate::model::sink::{HookObserver, NotRun, QuarantineChange};
use crate::model::verdict::{HookRun, RunStatus, Verdict};

/// A run that has begun.
pub(super) struct Begun<'a> {
    id: u64,
    admitted: Option<Admitted<'a>>,
}

/// Where a hook stands in its chain.
pub(super) struct Stand<'a, P: Point> {
    pub(super) value: Value,
    /// The hooks behind it that decide, too.
    pub(super) behind: &'a [Member<P>],
}

/// Takes down which hooks would not have run. Before the run is reported, which is complete then.
#[cold]
fn would_not_run<P: Point>(run: &mut HookRun, behind: &[Member<P>]) {
    if let Some(would) = run.would.as_deref_mut() {
        let ids = behind.iter().map(|member| member.profile.id.clone());
        would.not_run = ids.collect();
    }
}

/// Calls a hook, if it may be called. The response is for the caller to wait for, so that where no hook
/// waits there is no future but the chain's.
pub(super) fn begin<'c, 'm: 'c, P: Point>(
    member: &'m Member<P>,
    call: &'c mut Call<P>,
    watch: &mut Watch<'_>,
) -> (Begun<'m>, Response<'c, P>) {
    let id = watch.started(call, &member.profile);
    watch.spending.switch(member.purpose);
    let admitted = match &member.breaker {
        None => Ok(None),
        // In this order, so that a quarantine is not tried by a call that is not made.
        Some(breaker) => watch
            .spending
            .check()
            .and_then(|()| breaker.admit().map(Some)),
    };
    watch.begin();
    let (admitted, response) = respond(&*member.hook, admitted, call);
    let response = match (response, member.profile.deadline) {
        (Response::Future(answer), Some(limit)) => limited(answer, limit),
        (response, _) => response,
    };
    (Begun { id, admitted }, response)
}

/// A response that is a failure after this time.
fn limited<'a, P: Point>(answer: BoxFuture<'a, Answer<P>>, limit: Duration) -> Response<'a, P> {
    Response::Future(Box::pin(async move {
        let answered = tokio::time::timeout(limit, answer).await;
        answered.unwrap_or_else(|_| Err(Failure::WallClock(limit)).into())
    }))
}

/// Merges what a hook answered, and records its run.
pub(super) fn finish<P: Point>(
    member: &Member<P>,
    begun: Begun<'_>,
    mut answer: Answer<P>,
    call: &mut Call<P>,
    stand: Stand<'_, P>,
    watch: &mut Watch<'_>,
    verdict: &mut Verdict<P>,
) -> Flow<P> {
    let profile = &*member.profile;
    let kept = record::begin(&mut answer, call);
    let rules = Rules {
        profile,
        value: stand.value,
        keep_values: watch.cx.keep_values,
    };
    let run = verdict.runs.push_mut(HookRun::skipped(call, profile));
    let flow = merge::merge(call, rules, answer, run, &mut verdict.side_outputs);
    if let Flow::WouldEnd = flow {
        would_not_run(run, stand.behind);
    }
    end(member, begun, run, watch);
    if let Some(kept) = kept {
        kept.end(
            &member.profile,
            call,
            &flow,
            run,
            watch.cx.session,
            &**watch.cx.sink,
        );
    }
    flow
}

/// The same for an answer that counts once the store of hooks' state has what the call wrote.
pub(super) async fn finish_stored<P: Point>(
    member: &Member<P>,
    begun: Begun<'_>,
    mut answer: Answer<P>,
    call: &mut Call<P>,
    stand: Stand<'_, P>,
    watch: &mut Watch<'_>,
    verdict: &mut Verdict<P>,
) -> Flow<P> {
    let kept = record::begin(&mut answer, call);
    let rules = Rules {
        profile: &member.profile,
        value: stand.value,
        keep_values: watch.cx.keep_values,
    };
    let run = verdict
        .runs
        .push_mut(HookRun::skipped(call, &member.profile));
    let flow = merge::merge_stored(call, rules, answer, run, &mut verdict.side_outputs).await;
    if let Flow::WouldEnd = flow {
        would_not_run(run, stand.behind);
    }
    end(member, begun, run, watch);
    if let Some(kept) = kept {
        kept.end(
            &member.profile,
            call,
            &flow,
            run,
            watch.cx.session,
            &**watch.cx.sink,
        );
    }
    flow
}

/// Records how a run ended.
#[inline]
fn end<P: Point>(member: &Member<P>, begun: Begun<'_>, run: &mut HookRun, watch: &mut Watch<'_>) {
    let (cx, profile) = (watch.cx, &*member.profile);
    // What the host does with an answer is part of its run: the larger the answer, the longer it takes.
    run.latency = watch.end();
    if member.breaker.is_some() {
        watch.spending.add(run.latency, run.fuel);
    }
    settle(begun.admitted, run, cx.session, &**cx.sink);
    if let Some((cause, refused)) = undone(&run.status) {
        not_run(profile, run, cause, refused, cx);
    }
    watch.ended(begun.id, run);
}

/// Calls a hook, if it may be called.
#[inline]
pub(super) fn respond<'a, 'b, P: Point>(
    hook: &'a dyn Hook<P>,
    admitted: Result<Option<Admitted<'b>>, Failure>,
    call: &'a Call<P>,
) -> (Option<Admitted<'b>>, Response<'a, P>) {
    match admitted {
        Ok(admitted) => (admitted, catching(hook, call)),
        Err(failure) => (None, Response::Ready(Err(failure).into())),
    }
}

/// The hook's response. A panic of its code is a failure like any other: it goes the way of the hook's
/// failure policy.
#[inline]
fn catching<'a, P: Point>(hook: &'a dyn Hook<P>, call: &'a Call<P>) -> Response<'a, P> {
    match panic::catch_unwind(AssertUnwindSafe(|| hook.call(call))) {
        Ok(ready @ Response::Ready(_)) => ready,
        Ok(Response::Future(answer)) => {
            let caught = AssertUnwindSafe(answer).catch_unwind();
            Response::Future(Box::pin(
                caught.map(|caught| caught.unwrap_or_else(panicked)),
            ))
        }
        Err(payload) => Response::Ready(panicked(payload)),
    }
}

fn panicked<P: Point>(_: Box<dyn Any + Send>) -> Answer<P> {
    Err(Failure::Host("the hook's code panicked".into())).into()
}

/// Takes down how a call of a component ended, and tells what that changed for all sessions.
#[inline]
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

/// Why a run came to nothing, and whether the operation was refused for it.
#[inline]
fn undone(status: &RunStatus) -> Option<(Cause, bool)> {
    match status {
        RunStatus::Failed { cause, fatal, .. } => Some((*cause, *fatal)),
        RunStatus::NotApplied { .. } => Some((Cause::Replaced, false)),
        RunStatus::Completed { .. } | RunStatus::Skipped | RunStatus::Backgrounded => None,
    }
}

/// Tells that a guard did not do its work.
pub(super) fn not_run(
    profile: &Profile,
    run: &HookRun,
    cause: Cause,
    refused: bool,
    cx: &ChainContext<'_>,
) {
    if profile.role == HookRole::Observe {
        return;
    }
    metrics::guard_did_not_run(run, cause, refused);
    cx.sink.on_guard_skipped(NotRun {
        hook: &run.hook,
        point: run.point,
        session: cx.session,
        turn: run.turn,
        step: run.step,
        cause,
        refused,
    });
}
