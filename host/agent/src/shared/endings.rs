//! The work after sessions are dropped: their `session-end` hooks run, and their resources are
//! released.

use std::time::Duration;

use parking_lot::Mutex;
use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};

/// The endings that are running in the background.
#[derive(Default)]
pub(crate) struct Endings(Mutex<Vec<JoinHandle<()>>>);

/// The error when a session or turn is dropped outside of a Tokio runtime, where it cannot be
/// awaited.
#[derive(Debug, thiserror::Error)]
#[error("it was dropped outside of a Tokio runtime; drop sessions and turns inside of one")]
pub(crate) struct OutsideOfRuntime;

impl Endings {
    /// Runs an ending in the background.
    ///
    /// # Errors
    ///
    /// There is no runtime. The ending is dropped.
    pub(crate) fn spawn(
        &self,
        ending: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), OutsideOfRuntime> {
        let runtime = Handle::try_current().map_err(|_| OutsideOfRuntime)?;
        self.push(runtime.spawn(ending));
        Ok(())
    }

    fn push(&self, ending: JoinHandle<()>) {
        let mut all = self.0.lock();
        all.retain(|ending| !ending.is_finished());
        all.push(ending);
    }

    /// Waits for all endings and the endings that they start, but not longer than this. Returns the
    /// number that have not ended.
    pub(crate) async fn drain(&self, within: Duration) -> usize {
        let until = Instant::now() + within;
        let mut unfinished = Vec::new();
        loop {
            let all = std::mem::take(&mut *self.0.lock());
            if all.is_empty() {
                break;
            }
            for mut ending in all {
                if timeout_at(until, &mut ending).await.is_err() {
                    unfinished.push(ending);
                }
            }
        }
        let count = unfinished.len();
        self.0.lock().append(&mut unfinished);
        count
    }
}
