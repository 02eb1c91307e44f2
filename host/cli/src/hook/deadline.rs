//! The deadline for an event's answer.

use std::time::{Duration, Instant};

/// The wait for another event of the session ends this long before the deadline, or after nine tenths
/// of the time that is left if that is later. The answer can then name the session.
const MARGIN: Duration = Duration::from_secs(1);

/// The time after which the agent has no use for an answer.
#[derive(Debug, Clone, Copy)]
pub struct Deadline {
    seconds: u64,
    until: Instant,
}

impl Deadline {
    /// Creates a deadline after this many seconds. If the program that this one replaced has passed
    /// on an earlier deadline, that one counts.
    pub fn new(seconds: u64, handed_over: Option<u64>) -> Self {
        let now = Instant::now();
        let own = Duration::from_secs(seconds);
        let left = handed_over.map_or(own, |nanos| own.min(left(nanos)));
        Self {
            seconds,
            until: now + left,
        }
    }

    /// Returns the time.
    pub const fn until(&self) -> Instant {
        self.until
    }

    /// Returns the time left.
    pub fn left(&self) -> Duration {
        self.until.saturating_duration_since(Instant::now())
    }

    /// Returns the time until which the event waits for another one of its session.
    pub fn claim_until(&self) -> Instant {
        self.until - MARGIN.min(self.left() / 10)
    }

    /// Returns the error text for a missed deadline. `running` names the hooks that ran then.
    pub fn passed(&self, running: Option<&str>) -> String {
        let seconds = self.seconds;
        match running {
            Some(hooks) => format!(
                "nothing was decided within {seconds} s, and {hooks} had not ended; events of one session are decided \
                 one after another, so the wait for earlier events counts; give hooks less time in hooks.toml, or raise \
                 --deadline"
            ),
            None => format!(
                "nothing was decided within {seconds} s; run `portcullis hooks check`, which compiles the hooks, or \
                 raise --deadline"
            ),
        }
    }

    /// Returns the error text for a session that another event has not released in time.
    pub fn session_in_use(&self, session: &str, pid: u64, machine: &str) -> String {
        let seconds = self.seconds;
        format!(
            "session `{session}` was in use by process {pid} on {machine} and was not free in time, with a deadline \
             of {seconds} s; events of one session, such as parallel tool calls, are decided one after another; make \
             the hooks faster (`portcullis runs` has their times), or raise --deadline"
        )
    }

    /// Returns the same time for the program that replaces this one, in nanoseconds on the
    /// monotonic clock, which all processes of the machine share.
    #[cfg(unix)]
    pub fn handed_over(&self) -> u64 {
        let until = monotonic_now() + self.left();
        u64::try_from(until.as_nanos()).unwrap_or(u64::MAX)
    }
}

#[cfg(unix)]
fn left(nanos: u64) -> Duration {
    Duration::from_nanos(nanos).saturating_sub(monotonic_now())
}

/// Never called, since no program replaces another on this system.
#[cfg(not(unix))]
fn left(_: u64) -> Duration {
    Duration::ZERO
}

/// Returns the time on the monotonic clock, which all processes of the machine share.
#[cfg(unix)]
fn monotonic_now() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    let part = |part: i64| u64::try_from(part).unwrap_or_default();
    Duration::from_secs(part(now.tv_sec)) + Duration::from_nanos(part(now.tv_nsec))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_waited_for_almost_until_the_deadline() {
        for seconds in [1, 50, 86_400] {
            let deadline = Deadline::new(seconds, None);
            let margin = deadline.until() - deadline.claim_until();
            // A little of the time has passed since the start.
            let tenth = Duration::from_secs(seconds) / 10;
            assert!(margin <= MARGIN.min(tenth) && margin >= MARGIN.min(tenth / 2));
        }
        let over = Deadline::new(60, Some(1));
        assert_eq!(over.claim_until(), over.until());
    }

    #[test]
    fn what_is_handed_over_does_not_begin_anew() {
        let first = Deadline::new(60, None);
        let next = Deadline::new(86_400, Some(first.handed_over()));
        // Both clocks are read one after the other.
        assert!(next.until() <= first.until() + Duration::from_secs(1));
        let over = Deadline::new(60, Some(1));
        assert_eq!(over.left(), Duration::ZERO);
        // A later deadline gives no more time.
        let later = Deadline::new(60, Some(u64::MAX));
        assert!(later.left() <= Duration::from_secs(60));
    }
}
