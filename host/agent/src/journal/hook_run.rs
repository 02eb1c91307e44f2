//! Hook runs as the journal keeps them.

use portcullis::{Cause, HookRun, RunStarted, RunStatus};

use super::{RunEnd, RunRow, RunState};
use crate::clock;

impl From<&RunStarted<'_>> for RunRow {
    fn from(run: &RunStarted<'_>) -> Self {
        Self {
            id: i64::try_from(run.id).unwrap_or(i64::MAX),
            session: run.session.to_owned(),
            turn: run.turn,
            step: run.step,
            point: run.point.name().to_owned(),
            hook: run.hook.to_string(),
            attempt: 1,
            component: run.component.map(|digest| digest.to_string()),
            input: run.input.map(|digest| digest.to_string()),
            started_ms: clock::now_ms(),
        }
    }
}

impl From<&HookRun> for RunEnd {
    fn from(run: &HookRun) -> Self {
        let state = match &run.status {
            RunStatus::Completed { .. } => RunState::Completed,
            RunStatus::Failed { cause, .. } if *cause == Cause::Deadline => RunState::TimedOut,
            RunStatus::Failed { .. } => RunState::Failed,
            RunStatus::Skipped => RunState::Skipped,
            RunStatus::Backgrounded => RunState::Backgrounded,
        };
        let (message, fatal) = match &run.status {
            RunStatus::Failed { message, fatal, .. } => (Some(message.to_string()), *fatal),
            _ => (None, false),
        };
        let change = run.change.as_deref();
        Self {
            outcome: run.outcome().map(|outcome| outcome.name().to_owned()),
            latency_us: u64::try_from(run.latency.as_micros()).unwrap_or(u64::MAX),
            fuel: run.fuel,
            cause: run.cause().map(|cause| cause.code().to_owned()),
            message,
            contributions: run
                .contributed
                .iter()
                .map(|contributed| contributed.digest.to_string())
                .collect(),
            before: change.map(|change| change.before.to_string()),
            after: change.map(|change| change.after.to_string()),
            fatal,
            ..Self::of(state)
        }
    }
}
