//! One run of one hook.

use std::panic::{self, AssertUnwindSafe};
use std::time::{Duration, Instant};

use futures::FutureExt as _;

use super::watch::Watch;
use super::{Member, Surroundings};
use crate::call::Call;
use crate::contract::HookRole;
use crate::failure::Failure;
use crate::hook::{Answer, Hook, Profile, Reply};
use crate::merge::{self, Flow, Merged};
use crate::metrics;
use crate::points::Point;
use crate::quarantine::{Admitted, Changed, QuarantineChange};
use crate::sink::{HookSink, NotRun};
use crate::verdict::{HookRun, RunStatus, Verdict};

/// Runs a hook, waits for it and merges what it answers.
pub(super) async fn run<P: Point>(
    member: &Member<P>,
    call: &mut Call<P>,
    watch: &mut Watch<'_>,
    verdict: &mut Verdict<P>,
) -> Flow<P> {
    let around = watch.around;
    let profile = &*member.profile;
    let id = watch.started(call, profile);
    let turn = call.context.turn;
    let admitted = match &member.breaker {
        None => Ok(None),
        // In this order, so that a quarantine is not tried by a call that is not made.
        Some(breaker) => around
            .turn
            .check(turn)
            .and_then(|()| breaker.admit().map(Some)),
    };
    let Attempt {
        answer,
        took,
        admitted,
    } = attempt(&*member.hook, admitted, call).await;
    if member.breaker.is_some() {
        around.turn.spend(turn, took, answer.fuel);
    }
    let Merged { flow, run, asides } =
        merge::merge(call, profile, answer, took, around.keep_values);
    settle(admitted, &run, around.session, &**around.sink);
    not_run(profile, &run, around);
    verdict.asides.extend(asides);
    watch.ended(id, run, verdict);
    flow
}

/// A call that was made, or was not to be made.
pub(super) struct Attempt<'b, P: Point> {
    pub(super) answer: Answer<P>,
    pub(super) took: Duration,
    pub(super) admitted: Option<Admitted<'b>>,
}

/// Calls a hook, if it may be called.
pub(super) async fn attempt<'b, P: Point>(
    hook: &dyn Hook<P>,
    admitted: Result<Option<Admitted<'b>>, Failure>,
    call: &Call<P>,
) -> Attempt<'b, P> {
    let began = Instant::now();
    let (answer, admitted) = match admitted {
        Ok(admitted) => (answer(hook, call).await, admitted),
        Err(failure) => (Err(failure).into(), None),
    };
    Attempt {
        answer,
        took: began.elapsed(),
        admitted,
    }
}

/// The hook's answer. A panic of a native hook is a failure like any other: it goes the way of the
/// hook's failure policy.
async fn answer<P: Point>(hook: &dyn Hook<P>, call: &Call<P>) -> Answer<P> {
    let answered = match panic::catch_unwind(AssertUnwindSafe(|| hook.call(call))) {
        Ok(Reply::Now(answer)) => Ok(answer),
        Ok(Reply::Later(answer)) => AssertUnwindSafe(answer).catch_unwind().await,
        Err(panicked) => Err(panicked),
    };
    answered.unwrap_or_else(|_| Err(Failure::Host("the hook's code panicked".into())).into())
}

/// Takes down how a call of a component ended, and tells what that changed for all sessions.
pub(super) fn settle(
    admitted: Option<Admitted<'_>>,
    run: &HookRun,
    session: &str,
    sink: &dyn HookSink,
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
