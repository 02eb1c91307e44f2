//! Detached runs that have not ended.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

/// The number of detached runs of a host or a session that have not ended.
#[derive(Debug, Default, Clone)]
pub(crate) struct PendingRuns(Arc<watch::Sender<usize>>);

/// A run that has not ended. The run is counted until this is dropped.
pub(crate) struct PendingRun(PendingRuns);

impl PendingRuns {
    /// Counts one more run.
    pub(crate) fn begin(&self) -> PendingRun {
        self.0.send_modify(|pending| *pending += 1);
        PendingRun(self.clone())
    }

    /// Returns the number of runs.
    pub(crate) fn count(&self) -> usize {
        *self.0.borrow()
    }

    /// Waits until all runs have ended, for at most `within`. Returns the number of runs that have
    /// not ended.
    pub(crate) async fn drain(&self, within: Duration) -> usize {
        let mut pending = self.0.subscribe();
        let _ = tokio::time::timeout(within, pending.wait_for(|pending| *pending == 0)).await;
        self.count()
    }
}

impl Drop for PendingRun {
    fn drop(&mut self) {
        self.0.0.send_modify(|pending| *pending -= 1);
    }
}
