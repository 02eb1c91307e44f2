//! Hook runs as the journal keeps them.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use futures::future::BoxFuture;
use parking_lot::Mutex;
use portcullis::observer::RunStarted;
use portcullis::recording::RecordedCall;
use portcullis::verdict::{Cause, HookRun, RunStatus};

use super::changes::field_changes;
use super::{RunEnd, RunRecorder, RunRow, RunState, WouldHave};
use crate::basics::units;

/// The message of a cancelled run.
const CANCELLED: &str = "it was cancelled";

/// Writes the runs of one session's hooks to a journal, under ids of the journal.
pub(super) struct JournalRuns {
    journal: Arc<dyn RunRecorder>,
    /// The ids of the runs that have not ended, by their number in the process.
    open: Mutex<HashMap<u64, i64>>,
    /// The last runs that have ended, where calls are recorded: a call follows the end of its run.
    ended: Mutex<VecDeque<(u64, i64)>>,
}

/// How many ends of runs may come between the end of a run and its call: those of calls that run side by side.
const ENDED: usize = 1_024;

impl JournalRuns {
    /// Writes to this journal.
    pub fn new(journal: Arc<dyn RunRecorder>) -> Self {
        Self {
            journal,
            open: Mutex::default(),
            ended: Mutex::default(),
        }
    }

    /// A run has begun.
    pub fn started(&self, run: &RunStarted<'_>) {
        let id = self.journal.next_id();
        self.open.lock().insert(run.id, id);
        self.journal.begin(row(id, run));
    }

    /// A run has ended or was detached. A detached run may be reported after its end.
    pub fn ended(&self, run: &HookRun) {
        let mut runs = self.open.lock();
        let Some(id) = runs.remove(&run.id) else {
            return;
        };
        let end = RunEnd::of_hook(run, self.journal.keeps_values());
        if end.state.is_open() {
            runs.insert(run.id, id);
        }
        let is_over = !end.state.is_open();
        // Under the lock, to keep the two ends of a detached run in order.
        self.journal.end(id, end);
        if is_over && self.journal.records_calls() {
            let mut ended = self.ended.lock();
            if ended.len() == ENDED {
                ended.pop_front();
            }
            ended.push_back((run.id, id));
        }
    }

    /// Whether calls are recorded.
    pub fn records_calls(&self) -> bool {
        self.journal.records_calls()
    }

    /// A call has ended, after its run.
    pub fn called(&self, call: RecordedCall) {
        let mut ended = self.ended.lock();
        let Some(at) = ended.iter().rposition(|(run, _)| *run == call.run.id) else {
            return;
        };
        let found = ended.remove(at);
        drop(ended);
        if let Some((_, id)) = found {
            self.journal.call(id, call);
        }
    }

    /// The call of a run was dropped. `ended` is not called for the run.
    pub fn abandoned(&self, run: u64) {
        if let Some(id) = self.open.lock().remove(&run) {
            self.journal.end(id, cancelled());
        }
    }

    /// Waits until the starts of the runs that have not ended are written.
    ///
    /// # Errors
    ///
    /// One of them is lost; the text says why.
    pub fn committed(&self) -> BoxFuture<'_, Result<(), String>> {
        let open = self.open.lock().values().copied().collect();
        self.journal.committed(open)
    }
}

impl Drop for JournalRuns {
    fn drop(&mut self) {
        // Every running hook holds a reference, so nothing runs any more.
        for id in self.open.get_mut().values() {
            self.journal.end(*id, cancelled());
        }
    }
}

fn cancelled() -> RunEnd {
    RunEnd {
        message: Some(CANCELLED.to_owned()),
        ..RunEnd::of(RunState::Failed)
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
        attempt: run.attempt,
        component: run.component.map(|digest| digest.to_string()),
        input: run.input.map(|digest| digest.to_string()),
        started_ms: units::now_ms(),
        call_id: run.call_id.map(str::to_owned),
    }
}

impl RunEnd {
    /// The end of a hook's run. What it changed is taken only from a session that keeps values.
    fn of_hook(run: &HookRun, keeps_values: bool) -> Self {
        let state = match &run.status {
            RunStatus::Completed { .. } => RunState::Completed,
            RunStatus::Failed { cause, .. } if *cause == Cause::Deadline => RunState::TimedOut,
            RunStatus::Failed { .. } => RunState::Failed,
            RunStatus::NotApplied { .. } => RunState::NotApplied,
            RunStatus::Skipped => RunState::Skipped,
            RunStatus::Backgrounded => RunState::Backgrounded,
        };
        let (message, fatal) = match &run.status {
            RunStatus::Failed { message, fatal, .. } => (Some(message.to_string()), *fatal),
            _ => (None, false),
        };
        let refusal = match &run.status {
            RunStatus::Completed { rejection, .. } => rejection.as_deref(),
            _ => None,
        };
        let change = run.change.as_deref();
        Self {
            outcome: run.outcome().map(|outcome| outcome.name().to_owned()),
            latency_us: Some(units::micros(run.latency)),
            fuel: run.fuel,
            memory: run.memory,
            cause: run.cause().map(|cause| cause.code().to_owned()),
            code: refusal.map(|refusal| refusal.code.clone()),
            message: message.or_else(|| refusal.map(|refusal| refusal.reason.clone())),
            contributions: run
                .contributed
                .iter()
                .map(|contributed| contributed.digest.to_string())
                .collect(),
            before: change.map(|change| change.before.to_string()),
            after: change.map(|change| change.after.to_string()),
            fatal,
            mode: Some(run.mode),
            restarted: run.restarted,
            changes: change
                .filter(|_| keeps_values)
                .and_then(|change| change.values.as_ref())
                .map(|(before, after)| field_changes(before, after)),
            would: run
                .would
                .as_deref()
                .map(|would| WouldHave::of(would, keeps_values)),
            used: state.has_called().then(|| {
                let reached = run.reached.as_deref();
                reached
                    .map(|reached| reached.used.clone())
                    .unwrap_or_default()
            }),
            ..Self::of(state)
        }
    }
}
