//! Detached runs.

use std::time::Instant;

use super::one_run::settle;
use super::watch::Watch;
use super::{Member, record};
use crate::chain::background::{RunQueue, Work};
use crate::chain::merge::{self, Rules, Value};
use crate::chain::quarantine::Breaker;
use crate::model::call::Call;
use crate::model::failure::Failure;
use crate::model::hook::Response;
use crate::model::points::Point;
use crate::model::verdict::{HookRun, RunStatus, Verdict};

/// Starts a detached run.
pub(super) fn start<P: Point>(
    member: &Member<P>,
    run_queue: &RunQueue,
    call: &mut Call<P>,
    watch: &mut Watch<'_>,
    verdict: &mut Verdict<P>,
) {
    let profile = &member.profile;
    let opened = watch.open(call, profile, false);
    let background = &watch.cx.background;
    let run = HookRun::add(&mut verdict.runs, P::ID, &call.context, profile);
    match background.reserve(run_queue, profile) {
        Ok(slot) => {
            let work = work(member, call, watch, opened.id());
            run.status = RunStatus::Backgrounded;
            // Reported first: the run may end before this function continues.
            watch.ended(opened, call, None, profile, run);
            slot.fill(work, &watch.cx.runs);
        }
        Err(why) => {
            let failure = Failure::Overload(why.to_string());
            tracing::warn!(hook = %member.profile.id, point = %P::ID, "a hook did not run: {failure}");
            run.status = RunStatus::Failed {
                cause: failure.cause(),
                message: failure.to_string().into(),
                fatal: false,
            };
            watch.ended(opened, call, None, profile, run);
        }
    }
}

/// Returns the work of a run, which reports its end to the sink.
fn work<P: Point>(member: &Member<P>, call: &Call<P>, watch: &Watch<'_>, id: u64) -> Work {
    let (hook, profile) = (member.hook.clone(), member.profile.clone());
    let (sink, session) = (watch.cx.sink.clone(), watch.cx.session.clone());
    let breaker = member.breaker.clone();
    let (mut call, input) = (call.clone(), watch.input);
    let kept = watch.cx.kept().cloned();
    Box::pin(async move {
        let admitted = breaker.as_deref().map(Breaker::admit).transpose();
        let at = Instant::now();
        let (admitted, mut answer) = match admitted {
            Err(failure) => (None, Err(failure).into()),
            Ok(admitted) => match hook.call(&call) {
                Response::Ready(answer) => (admitted, answer),
                Response::Future(answer) => (admitted, answer.await),
            },
        };
        let rules = Rules {
            profile: &profile,
            value: Value::Open,
            kept: kept.as_deref(),
        };
        let mut run = HookRun::skipped(P::ID, &call.context, &profile);
        let mut side_outputs = Vec::new();
        let kept = record::begin(&mut answer, &call);
        // An observer decides nothing: `merge` ensures it.
        let flow = match answer.waits_for_store() {
            false => merge::merge(&mut call, rules, &mut answer, &mut run, &mut side_outputs),
            true => {
                merge::merge_stored(&mut call, rules, &mut answer, &mut run, &mut side_outputs)
                    .await
            }
        };
        let ended = Instant::now();
        run.latency = ended.saturating_duration_since(at);
        settle(admitted, &run, &session, &*sink);
        if !side_outputs.is_empty() {
            sink.contributed(&session, &side_outputs);
        }
        let run = HookRun { id, input, ..run };
        sink.on_background_end(&session, &run);
        if let Some(kept) = kept {
            kept.end(&profile, &call, &flow, &run, ended, (&session, &*sink));
        }
    })
}
