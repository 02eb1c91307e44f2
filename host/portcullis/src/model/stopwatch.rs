//! A stopwatch for a call's computing time, without its waits.

use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Poll;
use std::time::Duration;

use crate::model::clock::Clock;

/// A stopwatch for the polls of a future. The time between two polls is not counted. With the
/// processor's clock, one thread must poll the future from its start to its end.
#[derive(Debug)]
pub(crate) struct Stopwatch {
    clock: Clock,
    base: Duration,
    /// The nanoseconds counted in completed polls.
    counted: AtomicU64,
    /// The start of the current poll, in nanoseconds from `base`.
    began: AtomicU64,
}

impl Stopwatch {
    pub(crate) fn new(clock: Clock) -> Self {
        Self {
            clock,
            base: clock.now(),
            counted: AtomicU64::new(0),
            began: AtomicU64::new(0),
        }
    }

    /// Returns the time counted so far. Call it within a poll.
    pub(crate) fn computed(&self) -> Duration {
        let in_this_poll = self.now() - self.began.load(Ordering::Relaxed);
        Duration::from_nanos(self.counted.load(Ordering::Relaxed) + in_this_poll)
    }

    /// Restarts at zero.
    pub(crate) fn restart(&self) {
        self.counted.store(0, Ordering::Relaxed);
    }

    /// Runs a future, and continues counting.
    pub(crate) async fn time<F: Future>(&self, future: F) -> F::Output {
        let mut future = pin!(future);
        std::future::poll_fn(|context| {
            self.began.store(self.now(), Ordering::Relaxed);
            let polled = future.as_mut().poll(context);
            if matches!(polled, Poll::Pending) {
                let counted = self.computed().as_nanos();
                let counted = u64::try_from(counted).unwrap_or(u64::MAX);
                self.counted.store(counted, Ordering::Relaxed);
            }
            polled
        })
        .await
    }

    fn now(&self) -> u64 {
        let since = self.clock.now().saturating_sub(self.base);
        u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn waiting_is_not_computing() {
        let watch = Stopwatch::new(Clock::Wall);
        let computed = watch
            .time(async {
                tokio::time::sleep(Duration::from_millis(50)).await;
                std::thread::sleep(Duration::from_millis(10));
                watch.computed()
            })
            .await;
        assert!(computed >= Duration::from_millis(10), "{computed:?}");
        assert!(computed < Duration::from_millis(50), "{computed:?}");
    }
}
