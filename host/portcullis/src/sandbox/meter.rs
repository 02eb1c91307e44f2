//! The current call's use of resources that wasmtime does not count.

use std::time::Duration;

use crate::model::failure::Failure;

/// A counter of calls of imports, and the deadline of the current call.
///
/// Calls of imports are counted where an error cannot be returned. A call with too many of them is
/// ended at the next tick, and an answer before that is rejected: the cause of a call over its
/// limit is always the same.
#[derive(Debug)]
pub(crate) struct Meter {
    calls: u64,
    most: u64,
    /// The time when the first tick of the current call was noticed. Most calls end before it, and
    /// need no clock.
    noticed: Option<Duration>,
    /// The most compute time of the call.
    deadline: Duration,
}

impl Meter {
    pub(crate) fn new(host_calls: u64) -> Self {
        Self {
            calls: 0,
            most: host_calls,
            noticed: None,
            deadline: Duration::ZERO,
        }
    }

    /// Starts the count of a new call.
    #[inline]
    pub(crate) fn restart(&mut self, deadline: Duration) {
        self.calls = 0;
        self.noticed = None;
        self.deadline = deadline;
    }

    /// Returns whether the current call is over its compute time. Must be called at every tick. The
    /// time counts from the call's first tick, so that a late ticker shortens no deadline.
    pub(crate) fn is_due(&mut self, now: Duration, tick: Duration) -> bool {
        let Some(noticed) = self.noticed else {
            self.noticed = Some(now);
            return false;
        };
        // The due tick may be a little less late than the first one was.
        now.saturating_sub(noticed) + tick / 4 >= self.deadline
    }

    /// Returns the most compute time of the current call.
    pub(crate) fn deadline(&self) -> Duration {
        self.deadline
    }

    #[inline]
    pub(crate) fn count(&mut self) {
        self.calls = self.calls.saturating_add(1);
    }

    /// Returns the failure of a call that called its imports too often.
    #[inline]
    pub(crate) fn over(&self) -> Option<Failure> {
        (self.calls > self.most).then_some(Failure::HostCalls(self.most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_allowed_call_is_not_too_many() {
        let mut meter = Meter::new(2);
        meter.count();
        meter.count();
        assert!(meter.over().is_none());
        meter.count();
        assert!(matches!(meter.over(), Some(Failure::HostCalls(2))));
        meter.restart(Duration::ZERO);
        assert!(meter.over().is_none());
    }

    #[test]
    fn a_deadline_is_never_less_than_a_tick_and_ends_at_the_tick_behind_it() {
        let tick = Duration::from_millis(10);
        for (deadline_us, ticks) in [(1, 1), (10_000, 1), (12_000, 1), (13_000, 2), (20_000, 2)] {
            let mut meter = Meter::new(1);
            meter.restart(Duration::from_micros(deadline_us));
            let first = Duration::ZERO;
            let due = (0..).find(|n| meter.is_due(first + tick * *n, tick));
            assert_eq!(due, Some(ticks), "{deadline_us}");
        }
    }

    #[test]
    fn a_first_tick_that_comes_late_makes_the_deadline_no_shorter() {
        let (tick, deadline) = (Duration::from_millis(1), Duration::from_millis(20));
        let mut meter = Meter::new(1);
        meter.restart(deadline);
        let late = Duration::from_millis(15);
        assert!(!meter.is_due(late, tick));
        assert!(!meter.is_due(late + Duration::from_millis(19), tick));
        assert!(meter.is_due(late + deadline, tick));
        meter.restart(deadline);
        assert!(!meter.is_due(late + deadline, tick));
    }
}
