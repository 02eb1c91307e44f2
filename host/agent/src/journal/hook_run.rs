//! Hook runs as the journal keeps them.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use parking_lot::Mutex;
use portcullis::observer::RunStarted;
use portcullis::recording::{CallRecording, RecordedCall};
use portcullis::verdict::HookRun;

use super::hook_record::{HookEnd, HookStart};
use super::{RunEnd, RunRecorder, RunState};
use crate::basics::units;

/// The message of a cancelled run.
const CANCELLED: &str = "it was cancelled";

/// Writes the runs of one session's hooks to a journal, under ids of the journal.
pub(super) struct JournalRuns {
    journal: Arc<dyn RunRecorder>,
    held: Mutex<Held>,
}

struct Held {
    /// The runs that have not ended. They are few.
    open: Vec<Open>,
    /// The last runs that have ended, by their number and their id, where calls are recorded: a call follows the end of its
    /// run.
    ended: VecDeque<(u64, i64)>,
}

/// A run that has not ended.
struct Open {
    /// Its number in the process.
    run: u64,
    id: i64,
    /// When it began, in microseconds since the Unix epoch.
    started_us: u64,
}

impl Held {
    fn take(&mut self, run: u64) -> Option<Open> {
        // The last one is mostly the one that ends.
        let at = self.open.iter().rposition(|open| open.run == run)?;
        Some(self.open.swap_remove(at))
    }
}

/// The end of a shorter run is computed from its start and its latency. For longer ones the wall clock is read: somebody may
/// have set it meanwhile, or the machine may have slept.
const SHORT: Duration = Duration::from_millis(20);

/// How many ends of runs may come between the end of a run and its call: those of calls that run side by side.
const ENDED: usize = 1_024;

impl JournalRuns {
    /// Writes to this journal.
    pub fn new(journal: Arc<dyn RunRecorder>) -> Self {
        Self {
            journal,
            held: Mutex::new(Held {
                open: Vec::new(),
                ended: VecDeque::new(),
            }),
        }
    }

    /// A run has begun.
    pub fn started(&self, run: &RunStarted<'_>) {
        let id = self.journal.next_id();
        let started_us = units::micros(run.began());
        self.held.lock().open.push(Open {
            run: run.id,
            id,
            started_us,
        });
        let start = HookStart::new(id, run, started_us);
        self.journal.hook_began(start);
    }

    /// A run has ended or was detached.
    pub fn ended(&self, run: &HookRun) {
        self.end(run, |open| match run.latency < SHORT {
            true => (open.started_us + units::micros(run.latency)) / 1_000,
            false => units::now_ms(),
        });
    }

    /// A detached run has ended. This may be told before the run is told to be detached.
    pub fn ended_detached(&self, run: &HookRun) {
        self.end(run, |_| units::now_ms());
    }

    fn end(&self, run: &HookRun, at_ms: impl FnOnce(&Open) -> u64) {
        let mut held = self.held.lock();
        let Some(open) = held.take(run.id) else {
            return;
        };
        let id = open.id;
        let end = HookEnd::new(run, at_ms(&open), self.journal.keeps_values());
        if end.state().is_open() {
            held.open.push(open);
        } else if self.journal.records_calls().is_on() {
            if held.ended.len() == ENDED {
                held.ended.pop_front();
            }
            held.ended.push_back((run.id, id));
        }
        // Under the lock, to keep the two ends of a detached run in order.
        self.journal.hook_ended(id, end);
        drop(held);
    }

    /// Whether calls are recorded.
    pub fn records_calls(&self) -> CallRecording {
        self.journal.records_calls()
    }

    /// A call has ended, after its run.
    pub fn called(&self, call: RecordedCall) {
        let mut held = self.held.lock();
        let mut ended = held.ended.iter();
        let Some(at) = ended.rposition(|(run, _)| *run == call.run.id) else {
            return;
        };
        let found = held.ended.remove(at);
        drop(held);
        if let Some((_, id)) = found {
            self.journal.call(id, call);
        }
    }

    /// The call of a run was dropped. `ended` is not called for the run.
    pub fn abandoned(&self, run: u64) {
        let open = self.held.lock().take(run);
        if let Some(Open { id, .. }) = open {
            self.journal.end(id, cancelled());
        }
    }

    /// Waits until the starts of the runs that have not ended are written.
    ///
    /// # Errors
    ///
    /// One of them is lost; the text says why.
    pub fn committed(&self) -> BoxFuture<'_, Result<(), String>> {
        let open = self.held.lock().open.iter().map(|open| open.id).collect();
        self.journal.committed(open)
    }
}

impl Drop for JournalRuns {
    fn drop(&mut self) {
        // Every running hook holds a reference, so nothing runs any more.
        for open in &self.held.get_mut().open {
            self.journal.end(open.id, cancelled());
        }
    }
}

fn cancelled() -> RunEnd {
    RunEnd {
        message: Some(CANCELLED.to_owned()),
        ..RunEnd::of(RunState::Failed)
    }
}
