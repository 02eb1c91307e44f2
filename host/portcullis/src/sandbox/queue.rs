//! A queue of calls that wait until others are done.

use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Notify;
use tokio::sync::futures::Notified;

/// A queue of calls that wait until others are done. Waking an empty queue takes one load.
#[derive(Debug, Default)]
pub(super) struct Queue {
    waiting: AtomicUsize,
    woken: Notify,
}

/// A place in a queue.
pub(super) struct Waiting<'a>(&'a Queue);

impl Queue {
    /// Takes a place.
    pub(super) fn join(&self) -> Waiting<'_> {
        self.count().0
    }

    /// Takes a place, unless `most` are taken already.
    pub(super) fn join_up_to(&self, most: usize) -> Option<Waiting<'_>> {
        let (place, before) = self.count();
        (before < most).then_some(place)
    }

    /// Takes a place, and returns the number of places taken before.
    fn count(&self) -> (Waiting<'_>, usize) {
        // Sequentially consistent: either the waiting call sees that the other call is done, or the
        // other call sees the waiting one.
        let before = self.waiting.fetch_add(1, Ordering::SeqCst);
        (Waiting(self), before)
    }

    /// Returns the number of places taken.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.waiting.load(Ordering::SeqCst)
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Wakes a waiting call.
    #[inline]
    pub(super) fn wake(&self) {
        if !self.is_empty() {
            self.woken.notify_one();
        }
    }
}

impl Waiting<'_> {
    /// Returns a future that ends when the queue is woken; at once if it was woken since the last
    /// time.
    pub(super) fn woken(&self) -> Notified<'_> {
        self.0.woken.notified()
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::SeqCst);
    }
}
