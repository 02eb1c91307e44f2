//! The interval for polling the store for other processes' records.

use std::time::Duration;

use tokio::time::{Instant, sleep_until};

/// The first wait.
const FIRST: Duration = Duration::from_millis(250);
/// The longest wait: a person who answered in another process waits no longer than this.
const LONGEST: Duration = Duration::from_secs(2);

/// A timer for polling. The first wait is zero, and each later one is longer, up to [`LONGEST`].
pub struct Poll {
    at: Instant,
    wait: Duration,
}

impl Default for Poll {
    fn default() -> Self {
        Self {
            at: Instant::now(),
            wait: FIRST,
        }
    }
}

impl Poll {
    /// Waits until the store is asked again. Dropping the future loses nothing.
    pub async fn next(&mut self) {
        sleep_until(self.at).await;
        self.at = Instant::now() + self.wait;
        self.wait = LONGEST.min(self.wait * 2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn it_waits_longer_each_time_and_at_most_two_seconds() {
        let mut poll = Poll::default();
        let mut waits = Vec::new();
        for _ in 0..6 {
            let before = Instant::now();
            poll.next().await;
            waits.push(before.elapsed().as_millis());
        }
        assert_eq!(waits, [0, 250, 500, 1000, 2000, 2000]);
    }
}
