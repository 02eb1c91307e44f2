//! Hook runs as the journal keeps them.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use portcullis::{Cause, HookRun, RunStarted, RunStatus};

use super::{Journal, RunEnd, RunRow, RunState};
use crate::basics::units;

/// Why a run has no end of its own.
const CANCELLED: &str = "it was cancelled";

/// The runs of one session's hooks on their way into a journal, which others write to as well: their
/// ids are the journal's.
pub(crate) struct JournalRuns {
    journal: Journal,
    /// The runs whose end is to come, by their number in the process.
    open: Mutex<HashMap<u64, Open>>,
}

#[derive(Debug, Clone, Copy)]
struct Open {
    id: i64,
    /// Whether nobody waits for it.
    detached: bool,
}

impl JournalRuns {
    pub(crate) fn new(journal: Journal) -> Self {
        Self {
            journal,
            open: Mutex::default(),
        }
    }

    pub(crate) fn started(&self, run: &RunStarted<'_>) {
        let id = self.journal.next_id();
        let detached = false;
        self.lock().insert(run.id, Open { id, detached });
        self.journal.begin(row(id, run));
    }

    /// A run has ended, or goes on in the background; that may be told after its end was.
    pub(crate) fn ended(&self, run: &HookRun) {
        let mut runs = self.lock();
        let Some(open) = runs.remove(&run.id) else {
            return;
        };
        let end = RunEnd::from(run);
        if end.state.is_open() {
            let detached = true;
            runs.insert(run.id, Open { detached, ..open });
        }
        // Under the lock: the two ends of a run in the background come in this order.
        self.journal.end(open.id, end);
    }

    /// Settles the runs that somebody waited for: nobody does any more.
    pub(crate) fn cancelled(&self) {
        self.settle(|open| !open.detached);
    }

    fn settle(&self, which: impl Fn(&Open) -> bool) {
        let mut runs = self.lock();
        runs.retain(|_, open| {
            let gone = which(open);
            if gone {
                let end = RunEnd {
                    message: Some(CANCELLED.to_owned()),
                    ..RunEnd::of(RunState::Failed)
                };
                self.journal.end(open.id, end);
            }
            !gone
        });
    }

    // A panic elsewhere leaves the map whole.
    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for JournalRuns {
    fn drop(&mut self) {
        // Whoever runs a hook holds this: nothing runs any more.
        self.settle(|_| true);
    }
}

fn row(id: i64, run: &RunStarted<'_>) -> RunRow {
    RunRow {
        id,
        session: run.session.to_owned(),
        turn: run.turn,
        step: run.step,
        point: run.point.name().to_owned(),
        hook: run.hook.to_string(),
        attempt: 1,
        component: run.component.map(|digest| digest.to_string()),
        input: run.input.map(|digest| digest.to_string()),
        started_ms: units::now_ms(),
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
            latency_us: units::micros(run.latency),
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
