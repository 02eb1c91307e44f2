//! Reporting runs to the sink.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::ChainContext;
use crate::chain::turn_budget::Spending;
use crate::model::call::Call;
use crate::model::hook::Profile;
use crate::model::points::Point;
use crate::model::purpose::Purpose;
use crate::model::sink::RunStarted;
use crate::model::verdict::{Digest, HookRun, Verdict};

/// Tells the sink of runs, if it wants to know.
pub(super) struct Watch<'a> {
    pub(super) around: &'a ChainContext<'a>,
    /// The digest of the value as it is now.
    pub(super) input: Option<Digest>,
    /// What the chain has used of the turn's budget.
    pub(super) spending: Spending<'a>,
    /// When the last hook ended, which is when the next one begins.
    clock: Instant,
}

impl<'a> Watch<'a> {
    pub(super) fn new<P: Point>(
        call: &Call<P>,
        around: &'a ChainContext<'a>,
        purpose: Purpose,
    ) -> Self {
        let input = around
            .watched
            .then(|| Digest::of_payload(&P::payload(call)));
        Self {
            around,
            input,
            spending: around.turn.open(purpose, call.context.turn),
            clock: Instant::now(),
        }
    }

    /// A hook begins. Where runs are reported, what the report takes is no part of its time.
    pub(super) fn begin(&mut self) {
        if self.around.watched {
            self.clock = Instant::now();
        }
    }

    /// A hook ends. Gives how long it took.
    pub(super) fn end(&mut self) -> Duration {
        let now = Instant::now();
        now.saturating_duration_since(std::mem::replace(&mut self.clock, now))
    }

    pub(super) fn started<P: Point>(&self, call: &Call<P>, profile: &Profile) -> u64 {
        static RUNS: AtomicU64 = AtomicU64::new(1);
        if !self.around.watched {
            return 0;
        }
        let id = RUNS.fetch_add(1, Ordering::Relaxed);
        self.around.sink.started(&RunStarted {
            id,
            session: self.around.session,
            turn: call.context.turn,
            step: call.context.step,
            point: P::ID,
            hook: &profile.id,
            component: profile.component,
            input: self.input,
        });
        id
    }

    pub(super) fn ended<P: Point>(&mut self, id: u64, run: HookRun, verdict: &mut Verdict<P>) {
        verdict.runs.push(self.report(id, run));
    }

    fn report(&mut self, id: u64, mut run: HookRun) -> HookRun {
        if self.around.watched {
            run.id = id;
            run.input = self.input;
            if let Some(change) = &run.change {
                self.input = Some(change.after);
            }
            self.around.sink.ended(self.around.session, &run);
        }
        run
    }

    /// A hook that the chain did not come to. Gives the record of its run.
    pub(super) fn skipped<P: Point>(&mut self, call: &Call<P>, profile: &Profile) -> HookRun {
        let id = self.started(call, profile);
        self.report(id, HookRun::skipped(call, profile))
    }
}
