//! The time that a deadline of computing counts.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// The time that a deadline of computing counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clock {
    /// Time as it passes. For calls: whoever waits for one waits no longer because the machine is busy.
    Wall,
    /// What the calling thread has had of a processor. For loading, which must not fail because the machine
    /// is busy.
    Processor,
}

impl Clock {
    /// The time since some moment that stays the same, on this thread.
    pub(crate) fn now(self) -> Duration {
        static BASE: LazyLock<Instant> = LazyLock::new(Instant::now);
        match self {
            Self::Wall => BASE.elapsed(),
            Self::Processor => cpu_time::ThreadTime::now().as_duration(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_sleeps_has_no_processor() {
        let slept = Duration::from_millis(50);
        let (wall, processor) = (Clock::Wall.now(), Clock::Processor.now());
        std::thread::sleep(slept);
        assert!(Clock::Wall.now() - wall >= slept);
        assert!(Clock::Processor.now() - processor < slept);
    }
}
