//! Wall-clock times, read directly or derived from the monotonic clock.

use std::cell::Cell;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The time for which a thread uses a reading of the wall clock. If somebody sets the clock, or the
/// machine sleeps, times may be wrong for this long.
const FRESH: Duration = Duration::from_millis(20);

/// The most attempts to read the two clocks at most `NEAR` apart: the thread may have to wait for
/// the processor between the two readings.
const TRIES: usize = 4;
const NEAR: Duration = Duration::from_micros(100);

/// Converts a recent moment to a time since 1970. The chain has already read the monotonic clock,
/// and reading the wall clock costs up to a tenth of a warm call.
pub(crate) fn since_1970(moment: Instant) -> Duration {
    thread_local! {
        static READ: Cell<Option<(Instant, Duration)>> = const { Cell::new(None) };
    }
    if let Some((at, wall)) = READ.get() {
        match moment.checked_duration_since(at) {
            Some(passed) if passed <= FRESH => return wall.saturating_add(passed),
            Some(_) => {}
            None => return wall.saturating_sub(at.saturating_duration_since(moment)),
        }
    }
    let (at, wall) = read();
    READ.set(Some((at, wall)));
    (wall + moment.saturating_duration_since(at))
        .saturating_sub(at.saturating_duration_since(moment))
}

/// Returns the milliseconds since 1970; 0 if the clock is set to an earlier time.
pub fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |time| {
        u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
    })
}

/// Reads a moment and its time since 1970.
#[cold]
fn read() -> (Instant, Duration) {
    let mut tries = 1;
    loop {
        let at = Instant::now();
        let wall = SystemTime::now().duration_since(UNIX_EPOCH);
        if at.elapsed() <= NEAR || tries == TRIES {
            return (at, wall.unwrap_or_default());
        }
        tries += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A time longer than any wait of a thread for a processor.
    const MINUTE: Duration = Duration::from_secs(60);
    const HOUR: Duration = Duration::from_secs(3_600);

    #[test]
    fn moments_have_the_time_of_the_wall_clock() {
        for _ in 0..3 {
            let (now, moment) = read();
            assert!(since_1970(now).abs_diff(moment) < MINUTE);
            let later = since_1970(now + HOUR);
            assert!(later.abs_diff(moment + HOUR) < MINUTE);
            std::thread::sleep(FRESH * 2);
        }
    }
}
