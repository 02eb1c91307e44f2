//! The clock of a computing deadline.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// The clock of a computing deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clock {
    /// Elapsed time, for calls: the caller must not wait longer on a busy machine.
    Wall,
    /// The processor time of the calling thread, for loading, which must not fail because the
    /// machine is busy.
    Processor,
}

impl Clock {
    /// Returns the time since a fixed moment, on this thread.
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
