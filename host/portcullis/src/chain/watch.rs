//! Reporting runs to the sink.

use std::time::{Duration, Instant};

use super::ChainContext;
use crate::chain::turn_budget::Spending;
use crate::model::call::Call;
use crate::model::hook::Profile;
use crate::model::points::Point;
use crate::model::purpose::Purpose;
use crate::model::sink::{RunStarted, next_run};
use crate::model::trace_context::CallTrace;
use crate::model::verdict::{Digest, HookRun};

/// Tells the sink of runs, if it wants to know.
pub(super) struct Watch<'a> {
    pub(super) cx: &'a ChainContext,
    /// The digest of the value as it is now.
    pub(super) input: Option<Digest>,
    /// What the chain has used of the turn's budget.
    pub(super) spending: Spending<'a>,
    /// When the last hook ended, which is when the next one begins.
    clock: Instant,
    /// The reported run that has not ended.
    open: Option<u64>,
}

/// A call that is dropped abandons its run.
impl Drop for Watch<'_> {
    fn drop(&mut self) {
        if let Some(run) = self.open {
            self.cx.sink.abandoned(&self.cx.session, run);
        }
    }
}

impl<'a> Watch<'a> {
    #[inline]
    pub(super) fn new<P: Point>(call: &Call<P>, cx: &'a ChainContext, purpose: Purpose) -> Self {
        let input = cx.digested.then(|| Digest::of_payload(&P::payload(call)));
        Self {
            cx,
            input,
            spending: cx.turn.open(purpose, call.context.turn),
            clock: Instant::now(),
            open: None,
        }
    }

    /// A hook begins. Where runs are reported, what the report takes is no part of its time.
    #[inline]
    pub(super) fn begin(&mut self) {
        if self.cx.watched {
            self.clock = Instant::now();
        }
    }

    /// When the last hook ended.
    pub(super) fn ended_at(&self) -> Instant {
        self.clock
    }

    /// A hook ends. Gives how long it took.
    #[inline]
    pub(super) fn end(&mut self) -> Duration {
        let now = Instant::now();
        now.saturating_duration_since(std::mem::replace(&mut self.clock, now))
    }

    /// Gives the number of a run that begins: 0 where nobody watches runs.
    #[inline]
    pub(super) fn started<P: Point>(&mut self, call: &mut Call<P>, profile: &Profile) -> u64 {
        match self.cx.watched {
            true => self.tell_start(call, profile),
            false => 0,
        }
    }

    fn tell_start<P: Point>(&mut self, call: &mut Call<P>, profile: &Profile) -> u64 {
        let id = next_run();
        // Checked before it is borrowed mutably: that copies the call's data if a recorder or a hook still shares it.
        if call.views.trace.is_some()
            && let Some(trace) = &mut call.views.trace
        {
            CallTrace::next_run(trace);
        }
        self.cx.sink.started(&RunStarted {
            id,
            at: self.clock,
            session: &self.cx.session,
            turn: call.context.turn,
            step: call.context.step,
            point: P::ID,
            hook: &profile.id,
            attempt: P::attempt(&call.subject),
            call_id: P::call_id(&call.subject),
            component: profile.component,
            input: self.input,
            call: &*call,
            trace: call.views.trace.as_deref(),
        });
        self.open = Some(id);
        id
    }

    /// A run has ended, and its record is complete.
    #[inline]
    pub(super) fn ended(&mut self, id: u64, run: &mut HookRun) {
        if self.cx.watched {
            self.open = None;
            run.id = id;
            run.input = self.input;
            if let (Some(_), Some(change)) = (self.input, &run.change) {
                self.input = Some(change.after);
            }
            self.cx.sink.ended(&self.cx.session, run);
        }
    }

    /// A hook that the chain did not come to. Gives the record of its run.
    pub(super) fn skipped<P: Point>(&mut self, call: &mut Call<P>, profile: &Profile) -> HookRun {
        let id = self.started(call, profile);
        let mut run = HookRun::skipped(P::ID, &call.context, profile);
        self.ended(id, &mut run);
        run
    }
}
