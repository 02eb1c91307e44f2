//! Timing calls.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::LocalBoxFuture;
use portcullis::contract::Context;
use portcullis::json::{JsonError, JsonPoint, from_json};
use portcullis::points::{Point, PointVisitor};
use portcullis::verdict::{HookRun, RunStatus};
use portcullis::{Call, Hooks, NativeHook, Session, SessionOptions, Views};
use serde_json::json;

use super::{BenchError, Trial, TrialError, memory, nanos};
use crate::play::{Outcome, Record, context, open, runtime};

/// The number of sessions opened for first calls.
const FIRST: usize = 20;
/// The number of warm calls that are not counted.
const WARM_UP: usize = 50;
/// The number of calls of one kind that alternate with as many of the other, so that noise affects
/// both.
const ROUND: usize = 20;
/// The maximum number of sessions that are kept to measure memory.
const KEPT: usize = 200;
/// The maximum number of bytes that are used to measure memory.
const SPENT: u64 = 192 << 20;

/// The measured times, in nanoseconds.
#[derive(Debug, Default)]
pub(super) struct Times {
    /// The outcome of a session's first call.
    pub(super) first_outcome: String,
    /// The outcome of the last warm call.
    pub(super) outcome: String,
    pub(super) first: Vec<u64>,
    pub(super) warm: Vec<u64>,
    pub(super) native: Vec<u64>,
    pub(super) fuel: Vec<u64>,
    pub(super) instance_bytes: Option<u64>,
}

pub(super) fn measure(
    hooks: &Hooks,
    id: &str,
    trial: &Trial,
    calls: usize,
    progress: &dyn Fn(&'static str),
) -> Result<Times, BenchError> {
    let runtime = runtime()?;
    let all = All {
        hooks,
        id,
        trial,
        calls,
        progress,
        runtime: &runtime,
    };
    let times = trial.point.visit(all);
    Ok(times.map_err(TrialError::NotInput)?)
}

struct All<'a> {
    hooks: &'a Hooks,
    id: &'a str,
    trial: &'a Trial,
    calls: usize,
    progress: &'a dyn Fn(&'static str),
    runtime: &'a tokio::runtime::Runtime,
}

impl PointVisitor for All<'_> {
    type Output = Result<Times, JsonError>;

    fn visit<P: JsonPoint>(self) -> Self::Output {
        let input: P::Input = from_json(self.trial.input.clone())?;
        let outcome: P::Outcome = from_json(json!("continue"))?;
        let native = NativeHook::new("native").on::<P>(move |_| Ok(outcome.clone()));
        // One hook alone cannot conflict with another.
        let native = Hooks::none().with([native]).unwrap_or_default();
        let native = native.session(SessionOptions::new("native"));
        let mut caller = Caller::<P> {
            input: &input,
            views: &self.trial.views,
            turn: 0,
        };
        Ok(self.runtime.block_on(self.run(&mut caller, &native)))
    }
}

impl All<'_> {
    async fn run(&self, caller: &mut dyn Calls, native: &Session) -> Times {
        let mut times = Times::default();
        (self.progress)("first calls");
        for _ in 0..FIRST {
            let session = self.session();
            let (took, runs) = caller.call(&session).await;
            times.first.push(nanos(took));
            times.first_outcome = self.own(&runs).map(outcome_name).unwrap_or_default();
        }
        (self.progress)("warm calls");
        let session = self.session();
        for _ in 0..WARM_UP.min(self.calls) {
            caller.call(&session).await;
            caller.call(native).await;
        }
        while times.warm.len() < self.calls {
            for _ in 0..ROUND {
                let (took, runs) = caller.call(&session).await;
                times.warm.push(nanos(took));
                times.fuel.extend(self.own(&runs).and_then(|run| run.fuel));
            }
            for _ in 0..ROUND {
                let (took, _) = caller.call(native).await;
                times.native.push(nanos(took));
            }
        }
        let (_, runs) = caller.call(&session).await;
        times.outcome = self.own(&runs).map(outcome_name).unwrap_or_default();
        (self.progress)("memory");
        times.instance_bytes = self.memory(caller).await;
        times
    }

    /// Returns the memory that each of many sessions keeps; it stops at `SPENT` bytes.
    async fn memory(&self, caller: &mut dyn Calls) -> Option<u64> {
        let before = memory::resident()?;
        let mut kept = Vec::with_capacity(KEPT);
        let mut more = 0;
        while kept.len() < KEPT && more < SPENT {
            let session = self.session();
            caller.call(&session).await;
            kept.push(session);
            more = memory::resident()?.saturating_sub(before);
        }
        Some(more / kept.len().max(1) as u64)
    }

    fn session(&self) -> Session {
        let record = Arc::new(Record::default());
        open(self.hooks, self.id, &self.trial.setup, &record)
    }

    fn own<'r>(&self, runs: &'r [HookRun]) -> Option<&'r HookRun> {
        runs.iter().find(|run| run.hook.as_str() == self.id)
    }
}

/// Calls of a point, one after another.
trait Calls {
    /// Makes a call. Returns its duration and the hook runs.
    fn call<'a>(&'a mut self, session: &'a Session)
    -> LocalBoxFuture<'a, (Duration, Vec<HookRun>)>;
}

/// A caller that makes each call in a separate turn, because a turn has a budget.
struct Caller<'a, P: Point> {
    input: &'a P::Input,
    views: &'a Views,
    turn: u32,
}

impl<P: Point> Calls for Caller<'_, P> {
    fn call<'a>(
        &'a mut self,
        session: &'a Session,
    ) -> LocalBoxFuture<'a, (Duration, Vec<HookRun>)> {
        self.turn += 1;
        let context = Context {
            turn: self.turn,
            ..context()
        };
        let mut call = Call::<P>::unchecked(context, self.input.clone().into(), self.views.clone());
        Box::pin(async move {
            let began = Instant::now();
            let verdict = session.run(&mut call).await;
            (began.elapsed(), verdict.runs)
        })
    }
}

fn outcome_name(run: &HookRun) -> String {
    match &run.status {
        RunStatus::Completed { outcome, .. } => outcome.name().to_owned(),
        RunStatus::NotApplied { .. } => Outcome::NOT_APPLIED.to_owned(),
        RunStatus::Failed { cause, .. } => format!("{} ({cause})", Outcome::FAILED),
        RunStatus::Skipped | RunStatus::Backgrounded => Outcome::SKIPPED.to_owned(),
    }
}
