//! Reports runs to the sink.

use std::time::{Duration, Instant};

use super::ChainContext;
use crate::chain::turn_budget::Spending;
use crate::model::call::Call;
use crate::model::given::{Given, Gives};
use crate::model::hook::{Answer, Profile};
use crate::model::points::Point;
use crate::model::purpose::Purpose;
use crate::model::sink::{RunStarted, next_run};
use crate::model::trace_context::CallTrace;
use crate::model::verdict::{Digest, HookRun};

/// A reporter of runs to the sink, if the sink receives them.
pub(super) struct Watch<'a> {
    pub(super) cx: &'a ChainContext,
    /// The digest of the current value.
    pub(super) input: Option<Digest>,
    /// The chain's use of the turn's budget.
    pub(super) spending: Spending<'a>,
    /// The time when the last hook ended, which is when the next one begins.
    clock: Instant,
    /// Whether something was reported since `clock`.
    has_reported: bool,
    /// The run whose start was reported and that has not ended.
    open: Option<u64>,
}

/// A run that has begun, and its reports so far.
#[derive(Clone, Copy)]
pub(super) enum Opened {
    /// No sink watches runs.
    Unwatched,
    /// The start of the run of this number was reported.
    Reported(u64),
    /// The run of this number is reported once it has ended, unless the chain must wait for its
    /// hook.
    Unreported(u64),
}

impl Opened {
    /// Returns the run's number: 0 if no sink watches runs.
    pub(super) fn id(self) -> u64 {
        match self {
            Self::Unwatched => 0,
            Self::Reported(id) | Self::Unreported(id) => id,
        }
    }
}

/// Reports the open run as abandoned if the call is dropped.
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
        let input = cx
            .watched
            .digests
            .then(|| Digest::of_payload(&P::payload(call)));
        Self {
            cx,
            input,
            spending: cx.turn.open(purpose, call.context.turn),
            clock: Instant::now(),
            has_reported: false,
            open: None,
        }
    }

    /// Begins a hook. The time for reports does not count as the hook's time.
    #[inline]
    pub(super) fn begin(&mut self) {
        if self.has_reported {
            self.has_reported = false;
            self.clock = Instant::now();
        }
    }

    /// Returns the time when the last hook ended.
    pub(super) fn ended_at(&self) -> Instant {
        self.clock
    }

    /// Ends a hook. Returns the time that the hook took.
    #[inline]
    pub(super) fn end(&mut self) -> Duration {
        let now = Instant::now();
        now.saturating_duration_since(std::mem::replace(&mut self.clock, now))
    }

    /// Begins a run. Its start is reported, unless its end will come soon.
    #[inline]
    pub(super) fn open<P: Point>(
        &mut self,
        call: &mut Call<P>,
        profile: &Profile,
        ends_soon: bool,
    ) -> Opened {
        if !self.cx.watched.runs {
            return Opened::Unwatched;
        }
        let id = next_run();
        // A trace has a span for the run, which the hook may receive.
        if !ends_soon || self.cx.watched.starts || call.views.trace.is_some() {
            return self.report_start(id, call, profile);
        }
        Opened::Unreported(id)
    }

    /// Notes that the chain waits for a hook. Reports its start now, if it was not reported.
    pub(super) fn wait<P: Point>(
        &mut self,
        opened: &mut Opened,
        call: &mut Call<P>,
        profile: &Profile,
    ) {
        if let Opened::Unreported(id) = *opened {
            let before = Instant::now();
            *opened = self.report_start(id, call, profile);
            self.clock += before.elapsed();
        }
    }

    fn report_start<P: Point>(&mut self, id: u64, call: &mut Call<P>, profile: &Profile) -> Opened {
        // Checked before the mutable borrow, which copies the call's data if a recorder or a hook
        // still shares it.
        if call.views.trace.is_some()
            && let Some(trace) = &mut call.views.trace
        {
            CallTrace::next_run(trace);
        }
        let start = self.start(id, self.clock, call, call, profile);
        self.cx.sink.started(&start);
        self.has_reported = true;
        self.open = Some(id);
        Opened::Reported(id)
    }

    #[inline]
    fn start<'r, P: Point>(
        &'r self,
        id: u64,
        at: Instant,
        call: &'r Call<P>,
        gives: &'r dyn Gives,
        profile: &'r Profile,
    ) -> RunStarted<'r> {
        RunStarted {
            id,
            at,
            session: &self.cx.session,
            turn: call.context.turn,
            step: call.context.step,
            point: P::ID,
            hook: &profile.id,
            attempt: P::attempt(&call.subject),
            call_id: P::call_id(&call.subject),
            component: profile.component,
            input: self.input,
            gives,
            trace: call.views.trace.as_deref(),
        }
    }

    /// Returns a hook's input, if its run is not reported yet and its answer may change the input.
    #[inline]
    pub(super) fn given<P: Point>(
        &self,
        opened: Opened,
        answer: &Answer<P>,
        call: &Call<P>,
    ) -> Option<Given> {
        match opened {
            Opened::Unreported(_) if answer.may_change() => Some(Given::of(call)),
            _ => None,
        }
    }

    /// Ends a run whose record is complete. `given` is the hook's input, if the call no longer
    /// contains it.
    #[inline]
    pub(super) fn ended<P: Point>(
        &mut self,
        opened: Opened,
        call: &Call<P>,
        given: Option<&Given>,
        profile: &Profile,
        run: &mut HookRun,
    ) {
        match opened {
            Opened::Unwatched => {}
            Opened::Reported(id) => self.report_end(id, run),
            Opened::Unreported(id) => self.report(id, call, given, profile, run),
        }
    }

    /// Reports the end of a run whose start was reported.
    fn report_end(&mut self, id: u64, run: &mut HookRun) {
        run.id = id;
        run.input = self.input;
        self.open = None;
        self.cx.sink.ended(&self.cx.session, run);
        self.reported(run);
    }

    /// Reports a run as a whole.
    fn report<P: Point>(
        &mut self,
        id: u64,
        call: &Call<P>,
        given: Option<&Given>,
        profile: &Profile,
        run: &mut HookRun,
    ) {
        run.id = id;
        run.input = self.input;
        let began = self.clock.checked_sub(run.latency).unwrap_or(self.clock);
        let gives = given.map_or(call as &dyn Gives, |given| given);
        let start = self.start(id, began, call, gives, profile);
        self.cx.sink.ran(&start, run);
        self.reported(run);
    }

    fn reported(&mut self, run: &HookRun) {
        self.has_reported = true;
        if let (Some(_), Some(change)) = (self.input, &run.change) {
            self.input = Some(change.after);
        }
    }

    /// Reports a hook that the chain did not reach. Returns the record of its run.
    pub(super) fn skipped<P: Point>(&mut self, call: &mut Call<P>, profile: &Profile) -> HookRun {
        let opened = self.open(call, profile, true);
        let mut run = HookRun::skipped(P::ID, &call.context, profile);
        self.ended(opened, call, None, profile, &mut run);
        run
    }
}
