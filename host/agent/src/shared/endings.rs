//! The `session-end` hooks of sessions that were dropped without being closed.

use std::time::Duration;

use parking_lot::Mutex;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};

/// The endings that run in the background.
#[derive(Default)]
pub(crate) struct Endings(Mutex<Vec<JoinHandle<()>>>);

impl Endings {
    pub(crate) fn push(&self, ending: JoinHandle<()>) {
        let mut all = self.0.lock();
        all.retain(|ending| !ending.is_finished());
        all.push(ending);
    }

    /// Waits for all of them, but not longer than this. Returns how many have not ended.
    pub(crate) async fn drain(&self, within: Duration) -> usize {
        let until = Instant::now() + within;
        let all = std::mem::take(&mut *self.0.lock());
        let mut unfinished = 0;
        for mut ending in all {
            if timeout_at(until, &mut ending).await.is_err() {
                self.push(ending);
                unfinished += 1;
            }
        }
        unfinished
    }
}
