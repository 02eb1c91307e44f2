//! One run of one hook.

use std::any::Any;
use std::panic::{self, AssertUnwindSafe};

use futures::FutureExt as _;

use super::watch::Watch;
use super::{ChainContext, Member};
use crate::chain::merge::{self, Flow, Merged, Value};
use crate::chain::quarantine::{Admitted, Changed};
use crate::contract::HookRole;
use crate::model::call::Call;
use crate::model::failure::{Cause, Failure};
use crate::model::hook::{Answer, Hook, Profile, Response};
use crate::model::metrics;
use crate::model::points::Point;
use crate::model::sink::{HookObserver, NotRun, QuarantineChange};
use crate::model::verdict::{HookRun, RunStatus, Verdict};

/// Runs a hook, waits for it and merges what it answers.
pub(super) async fn run<P: Point>(
    member: &Member<P>,
    call: &mut Call<P>,
    value: Value,
    watch: &mut Watch<'_>,
    verdict: &mut Verdict<P>,
) -> Flow<P> {
    let around = watch.around;
    let profile = &*member.profile;
    let id = watch.started(call, profile);
    let admitted = match &member.breaker {
        None => Ok(None),
        // In this order, so that a quarantine is not tried by a call that is not made.
        Some(breaker) => watch
            .spending
            .check()
            .and_then(|()| breaker.admit().map(Some)),
    };
    watch.begin();
    let (reply, admitted) = begin(&*member.hook, admitted, call);
    let answer = ended(reply).await;
    let Merged {
        flow,
        mut run,
        side_outputs,
    } = merge::merge(call, profile, value, answer, around.keep_values);
    // What the host does with an answer is part of its run: the larger the answer, the longer it takes.
    run.latency = watch.end();
    if member.breaker.is_some() {
        watch.spending.add(run.latency, run.fuel);
    }
    settle(admitted, &run, around.session, &**around.sink);
    if let Some((cause, refused)) = undone(&run.status) {
        not_run(profile, &run, cause, refused, around);
    }
    verdict.side_outputs.extend(side_outputs);
    watch.ended(id, run, verdict);
    flow
}

/// Calls a hook, if it may be called.
pub(super) fn begin<'c, 'b, P: Point>(
    hook: &'c dyn Hook<P>,
    admitted: Result<Option<Admitted<'b>>, Failure>,
    call: &'c Call<P>,
) -> (Response<'c, P>, Option<Admitted<'b>>) {
    match admitted {
        Ok(admitted) => (reply(hook, call), admitted),
        Err(failure) => (Response::Ready(Err(failure).into()), None),
    }
}

/// Waits for the answer, if it is not there yet.
pub(super) async fn ended<P: Point>(reply: Response<'_, P>) -> Answer<P> {
    match reply {
        Response::Ready(answer) => answer,
        Response::Future(answer) => answer.await,
    }
}

/// The hook's reply. A panic of its code is a failure like any other: it goes the way of the hook's
/// failure policy.
fn reply<'c, P: Point>(hook: &'c dyn Hook<P>, call: &'c Call<P>) -> Response<'c, P> {
    match panic::catch_unwind(AssertUnwindSafe(|| hook.call(call))) {
        Ok(Response::Ready(answer)) => Response::Ready(answer),
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
pub(super) fn settle(
    admitted: Option<Admitted<'_>>,
    run: &HookRun,
    session: &str,
    sink: &dyn HookObserver,
) {
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

/// Why a run came to nothing, and whether the operation was refused for it.
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
    around: &ChainContext<'_>,
) {
    if profile.role == HookRole::Observe {
        return;
    }
    metrics::guard_did_not_run(run, cause, refused);
    around.sink.on_guard_skipped(NotRun {
        hook: &run.hook,
        point: run.point,
        session: around.session,
        turn: run.turn,
        step: run.step,
        cause,
        refused,
    });
}
