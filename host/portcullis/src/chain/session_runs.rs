//! The detached runs of one session.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use super::background::Work;

/// How many detached runs of one session have not ended.
#[derive(Debug, Default, Clone)]
pub(crate) struct SessionRuns(Arc<watch::Sender<usize>>);

/// A run that has not ended.
struct Pending(SessionRuns);

impl SessionRuns {
    /// The same run, which counts until it has ended or is dropped.
    pub(crate) fn counted(&self, work: Work) -> Work {
        self.0.send_modify(|pending| *pending += 1);
        let pending = Pending(self.clone());
        Box::pin(async move {
            work.await;
            drop(pending);
        })
    }

    /// How many have not ended.
    pub(crate) fn pending(&self) -> usize {
        *self.0.borrow()
    }

    /// Waits until all have ended, for no longer than this. Gives how many have not.
    pub(crate) async fn drain(&self, within: Duration) -> usize {
        let mut pending = self.0.subscribe();
        let _ = tokio::time::timeout(within, pending.wait_for(|pending| *pending == 0)).await;
        self.pending()
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.0.0.send_modify(|pending| *pending -= 1);
    }
}
