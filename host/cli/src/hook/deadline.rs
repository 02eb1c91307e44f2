//! The deadline for an event's answer.

use std::time::{Duration, Instant};

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

    /// Returns the error text for a missed deadline.
    pub fn passed(&self) -> String {
        let seconds = self.seconds;
        format!(
            "nothing was decided within {seconds} s; run `portcullis hooks check`, which compiles the hooks, or raise \
             --deadline"
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
