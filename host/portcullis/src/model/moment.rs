//! The wall clock, told by the other one.

use std::cell::Cell;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How long a thread does not read the wall clock again. So runs of this time may have a time that is wrong, if somebody sets
/// the clock or the machine sleeps in between.
const FRESH: Duration = Duration::from_millis(20);

/// A moment that has just been, as a time since 1970. The chain reads the other clock anyway, and to read a clock takes up to
/// a tenth of a warm call.
pub(crate) fn since_1970(moment: Instant) -> Duration {
    thread_local! {
        static READ: Cell<Option<(Instant, Duration)>> = const { Cell::new(None) };
    }
    let (at, wall) = match READ.get() {
        Some((at, wall)) if moment.saturating_duration_since(at) <= FRESH => (at, wall),
        _ => {
            let now = SystemTime::now().duration_since(UNIX_EPOCH);
            let read = (Instant::now(), now.unwrap_or_default());
            READ.set(Some(read));
            read
        }
    };
    (wall + moment.saturating_duration_since(at))
        .saturating_sub(at.saturating_duration_since(moment))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_have_the_time_of_the_wall_clock() {
        let mut last = Duration::ZERO;
        for _ in 0..100 {
            let now = Instant::now();
            let told = since_1970(now);
            assert!(told >= last);
            last = told;
            let earlier = now.checked_sub(Duration::from_secs(1)).unwrap();
            assert_eq!(since_1970(earlier), told - Duration::from_secs(1));
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}
