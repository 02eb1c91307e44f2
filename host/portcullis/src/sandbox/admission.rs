//! How many calls of components run at once, over all sessions of a host.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Notify;

use crate::sandbox::ticker::Activity;

/// Lets so many calls in, and so many wait.
#[derive(Debug)]
pub(crate) struct Admission {
    most: usize,
    most_waiting: usize,
    activity: Arc<Activity>,
    waiting: AtomicUsize,
    left: Notify,
}

/// A call that was let in. While it lives, the ticker keeps its deadline.
pub(crate) struct Pass<'a>(&'a Admission);

/// A call that waits to be let in.
struct Waiting<'a>(&'a Admission);

/// Too many calls are waiting already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0} calls of the host's are waiting already")]
pub(crate) struct QueueFull(usize);

impl Admission {
    pub(crate) fn new(most: usize, most_waiting: usize, activity: Arc<Activity>) -> Self {
        Self {
            most,
            most_waiting,
            activity,
            waiting: AtomicUsize::new(0),
            left: Notify::new(),
        }
    }

    /// Lets a call in if there is room and no other call waits.
    pub(crate) fn try_enter(&self) -> Option<Pass<'_>> {
        match self.waiting.load(Ordering::SeqCst) {
            0 => self.take(),
            _ => None,
        }
    }

    /// Waits for room.
    pub(crate) async fn enter(&self) -> Result<Pass<'_>, QueueFull> {
        if let Some(pass) = self.try_enter() {
            return Ok(pass);
        }
        if self.waiting.fetch_add(1, Ordering::SeqCst) >= self.most_waiting {
            self.waiting.fetch_sub(1, Ordering::SeqCst);
            return Err(QueueFull(self.most_waiting));
        }
        let _waiting = Waiting(self);
        loop {
            // Whoever leaves after the look below finds it waiting, and leaves it a permit.
            let left = self.left.notified();
            if let Some(pass) = self.take() {
                return Ok(pass);
            }
            left.await;
        }
    }

    fn take(&self) -> Option<Pass<'_>> {
        self.activity.begin(self.most).then(|| Pass(self))
    }

    /// Lets a call in whether there is room or not: one that loading makes.
    pub(crate) fn enter_anyway(&self) -> Pass<'_> {
        self.activity.begin(usize::MAX);
        Pass(self)
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        self.0.activity.end();
        if self.0.waiting.load(Ordering::SeqCst) > 0 {
            self.0.left.notify_one();
        }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn the_queue_has_an_end() {
        let admission = Admission::new(1, 1, Arc::default());
        let running = admission.enter().await.ok();
        assert!(running.is_some() && admission.try_enter().is_none());
        let mut waiting = Box::pin(admission.enter());
        assert!(futures::poll!(&mut waiting).is_pending());
        assert_eq!(admission.enter().await.err(), Some(QueueFull(1)));
        drop(running);
        // It is the one that waits who is next.
        assert!(admission.try_enter().is_none());
        assert!(waiting.await.is_ok());
        assert!(admission.try_enter().is_some());
    }

    #[tokio::test]
    async fn whoever_stops_waiting_leaves_its_place() {
        let admission = Admission::new(1, 1, Arc::default());
        let running = admission.enter().await.ok();
        let waited = tokio::time::timeout(Duration::from_millis(5), admission.enter()).await;
        assert!(waited.is_err());
        drop(running);
        assert!(admission.try_enter().is_some());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn nobody_waits_for_ever_and_no_more_run_than_may() {
        let admission = Arc::new(Admission::new(3, 1_000, Arc::default()));
        let most = Arc::new(AtomicUsize::new(0));
        let calls: Vec<_> = (0..200)
            .map(|_| {
                let (admission, most) = (admission.clone(), most.clone());
                tokio::spawn(async move {
                    let pass = admission.enter().await.expect("room to wait");
                    let running = admission.activity.running();
                    most.fetch_max(running, Ordering::SeqCst);
                    tokio::task::yield_now().await;
                    drop(pass);
                })
            })
            .collect();
        for call in calls {
            let ended = tokio::time::timeout(Duration::from_secs(20), call).await;
            ended.expect("it ends").expect("no panic");
        }
        assert!(most.load(Ordering::SeqCst) <= 3);
        assert!(admission.try_enter().is_some());
    }
}
