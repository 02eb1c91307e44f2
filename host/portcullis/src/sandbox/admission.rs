//! The limit on component calls that run at once, over all sessions of a host.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::model::purpose::Purpose;
use crate::sandbox::queue::Queue;
use crate::sandbox::ticker::Activity;

/// Limits the calls that run at once and the calls that wait. Observers run in at most half of the
/// slots, have a queue of their own, and enter only while no guard waits, so they take no slot from
/// guards. With a single slot, observers may use it.
#[derive(Debug)]
pub(crate) struct Admission {
    most: usize,
    most_observing: usize,
    most_waiting: usize,
    activity: Arc<Activity>,
    observing: AtomicUsize,
    guards: Queue,
    observers: Queue,
}

/// A permit for a running call. While it lives, the ticker enforces the call's deadline.
pub(crate) struct Pass<'a> {
    admission: &'a Admission,
    purpose: Purpose,
}

/// Wakes observers on drop: one may have waited because a guard did.
struct ObserversNext<'a>(&'a Queue);

/// The error of a call if too many calls wait already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0} calls of the host's are waiting already")]
pub(crate) struct QueueFull(usize);

impl Admission {
    pub(crate) fn new(most: usize, most_waiting: usize, activity: Arc<Activity>) -> Self {
        Self {
            most,
            most_observing: (most / 2).max(1),
            most_waiting,
            activity,
            observing: AtomicUsize::new(0),
            guards: Queue::default(),
            observers: Queue::default(),
        }
    }

    /// Returns the number of calls that wait for a slot.
    pub(crate) fn waiting(&self) -> usize {
        self.guards.len() + self.observers.len()
    }

    /// Admits a call if a slot is free and no call waits for one.
    #[inline]
    pub(crate) fn try_enter(&self, purpose: Purpose) -> Option<Pass<'_>> {
        match self.queue(purpose).is_empty() {
            true => self.take(purpose),
            false => None,
        }
    }

    /// Waits for a slot.
    pub(crate) async fn enter(&self, purpose: Purpose) -> Result<Pass<'_>, QueueFull> {
        if let Some(pass) = self.try_enter(purpose) {
            return Ok(pass);
        }
        let queue = self.queue(purpose);
        // Declared before the place in the queue, and so dropped after it.
        let _next = ObserversNext(&self.observers);
        let waiting = queue
            .join_up_to(self.most_waiting)
            .ok_or(QueueFull(self.most_waiting))?;
        loop {
            // Registered before `take`, so that it notices a call that leaves in between.
            let mut left = pin!(waiting.woken());
            left.as_mut().enable();
            if let Some(pass) = self.take(purpose) {
                // Calls that leave at the same time may wake only one waiting call, which wakes the next.
                queue.wake();
                return Ok(pass);
            }
            left.await;
        }
    }

    #[inline]
    fn queue(&self, purpose: Purpose) -> &Queue {
        match purpose.is_guarding() {
            true => &self.guards,
            false => &self.observers,
        }
    }

    #[inline]
    fn take(&self, purpose: Purpose) -> Option<Pass<'_>> {
        let taken = match purpose.is_guarding() {
            true => self.activity.begin(self.most),
            false => self.take_observing(),
        };
        // Created only if a slot was taken, since dropping a pass frees its slot.
        taken.then(|| Pass {
            admission: self,
            purpose,
        })
    }

    fn take_observing(&self) -> bool {
        let next = |observing: usize| (observing < self.most_observing).then_some(observing + 1);
        if !self.guards.is_empty()
            || self
                .observing
                .fetch_update(Ordering::SeqCst, Ordering::SeqCst, next)
                .is_err()
        {
            return false;
        }
        let begun = self.activity.begin(self.most);
        if !begun {
            self.observing.fetch_sub(1, Ordering::SeqCst);
            // Another observer may have waited because of this one.
            if self.activity.running() < self.most {
                self.observers.wake();
            }
        }
        begun
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        let admission = self.admission;
        if !self.purpose.is_guarding() {
            admission.observing.fetch_sub(1, Ordering::SeqCst);
        }
        admission.activity.end();
        admission.guards.wake();
        admission.observers.wake();
    }
}

impl Drop for ObserversNext<'_> {
    fn drop(&mut self) {
        self.0.wake();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::model::purpose::Purpose::{Deciding, Observing};

    #[tokio::test]
    async fn the_queue_has_an_end() {
        for purpose in [Deciding, Observing] {
            let admission = Admission::new(1, 1, Arc::default());
            let running = admission.enter(purpose).await.ok();
            assert!(running.is_some() && admission.try_enter(purpose).is_none());
            let mut waiting = Box::pin(admission.enter(purpose));
            assert!(futures::poll!(&mut waiting).is_pending());
            assert_eq!(admission.enter(purpose).await.err(), Some(QueueFull(1)));
            drop(running);
            // The waiting call is next.
            assert!(admission.try_enter(purpose).is_none());
            assert!(waiting.await.is_ok());
            assert!(admission.try_enter(purpose).is_some());
        }
    }

    #[tokio::test]
    async fn whoever_stops_waiting_leaves_its_place() {
        let admission = Admission::new(1, 1, Arc::default());
        let running = admission.enter(Deciding).await.ok();
        let waited =
            tokio::time::timeout(Duration::from_millis(5), admission.enter(Deciding)).await;
        assert!(waited.is_err());
        drop(running);
        assert!(admission.try_enter(Deciding).is_some());
    }

    #[tokio::test]
    async fn observers_leave_half_of_the_room_to_guards() {
        let admission = Admission::new(4, 8, Arc::default());
        let observers = [(); 3].map(|()| admission.try_enter(Observing));
        assert_eq!(observers.iter().flatten().count(), 2);
        let guards = [(); 3].map(|()| admission.try_enter(Deciding));
        assert_eq!(guards.iter().flatten().count(), 2);
        // A waiting guard comes before an observer, whichever call leaves.
        let mut observer = Box::pin(admission.enter(Observing));
        let mut guard = Box::pin(admission.enter(Deciding));
        assert!(futures::poll!(&mut observer).is_pending());
        assert!(futures::poll!(&mut guard).is_pending());
        drop(observers);
        assert!(futures::poll!(&mut observer).is_pending());
        let guard = guard.await;
        assert!(guard.is_ok());
        // The observer follows, though no call has left since.
        let observer = tokio::time::timeout(Duration::from_secs(20), observer).await;
        assert!(observer.is_ok_and(|entered| entered.is_ok()));
    }

    #[tokio::test]
    async fn an_observer_that_stayed_out_for_a_guard_goes_in_if_the_guard_gives_up() {
        let admission = Admission::new(1, 8, Arc::default());
        let running = admission.try_enter(Deciding);
        let mut observer = Box::pin(admission.enter(Observing));
        let mut guard = Box::pin(admission.enter(Deciding));
        assert!(futures::poll!(&mut observer).is_pending());
        assert!(futures::poll!(&mut guard).is_pending());
        drop(running);
        assert!(futures::poll!(&mut observer).is_pending());
        drop(guard);
        let observer = tokio::time::timeout(Duration::from_secs(20), observer).await;
        assert!(observer.is_ok_and(|entered| entered.is_ok()));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn nobody_waits_for_ever_and_no_more_run_than_may() {
        let admission = Arc::new(Admission::new(3, 1_000, Arc::default()));
        let most = Arc::new(AtomicUsize::new(0));
        let calls: Vec<_> = (0..200)
            .map(|call| {
                let (admission, most) = (admission.clone(), most.clone());
                tokio::spawn(async move {
                    let purpose = if call % 3 == 0 { Observing } else { Deciding };
                    let pass = admission.enter(purpose).await.expect("room to wait");
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
        assert!(admission.try_enter(Deciding).is_some());
    }
}
