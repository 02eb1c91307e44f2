//! A value that a session keeps between a hook's calls, for one call at a time.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::idle::{GivenUp, Keeper};
use super::queue::Queue;

/// A value that one call at a time may take.
///
/// A tokio lock would also work, but takes about a hundred instructions for each call; this takes
/// forty.
#[derive(Debug)]
pub(crate) struct Warm<T> {
    kept: Mutex<Kept<T>>,
    /// The calls that wait until another one returns the value.
    queue: Queue,
}

#[derive(Debug)]
enum Kept<T> {
    /// No call has the value. `recent` says whether a call had it since the last request to evict
    /// it.
    Free {
        value: Option<T>,
        recent: bool,
        given_up: bool,
    },
    Taken,
}

/// A call's turn. On drop, its value is kept for the next call.
#[derive(Debug)]
pub(crate) struct Taken<'a, T> {
    pub(crate) value: Option<T>,
    /// Whether the last value was evicted. The call clears it after it has created another value.
    pub(crate) given_up: bool,
    warm: &'a Warm<T>,
}

impl<T> Default for Warm<T> {
    fn default() -> Self {
        Self {
            kept: Mutex::new(Kept::Free {
                value: None,
                recent: false,
                given_up: false,
            }),
            queue: Queue::default(),
        }
    }
}

impl<T> Warm<T> {
    /// Takes the value, unless a call has it.
    #[inline]
    pub(crate) fn try_take(&self) -> Option<Taken<'_, T>> {
        match std::mem::replace(&mut *self.hold(), Kept::Taken) {
            Kept::Free {
                value, given_up, ..
            } => Some(Taken {
                value,
                given_up,
                warm: self,
            }),
            Kept::Taken => None,
        }
    }

    /// Waits until no call has the value, and takes it.
    pub(crate) async fn take(&self) -> Taken<'_, T> {
        let waiting = self.queue.join();
        loop {
            if let Some(taken) = self.try_take() {
                return taken;
            }
            // Returns at once if the value was returned in between.
            waiting.woken().await;
        }
    }

    fn hold(&self) -> MutexGuard<'_, Kept<T>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Send + 'static> Keeper for Warm<Box<T>> {
    fn give_up(&self, also_recent: bool) -> GivenUp {
        match &mut *self.hold() {
            Kept::Free {
                recent: recent @ true,
                value: Some(_),
                ..
            } if !also_recent => {
                *recent = false;
                GivenUp::Spared
            }
            Kept::Free {
                value, given_up, ..
            } => match value.take() {
                Some(instance) => {
                    *given_up = true;
                    GivenUp::Instance(instance)
                }
                None => GivenUp::Nothing,
            },
            Kept::Taken => GivenUp::Nothing,
        }
    }
}

impl<T> Drop for Taken<'_, T> {
    #[inline]
    fn drop(&mut self) {
        *self.warm.hold() = Kept::Free {
            value: self.value.take(),
            recent: true,
            given_up: self.given_up,
        };
        self.warm.queue.wake();
    }
}

#[cfg(test)]
impl<T> Warm<T> {
    /// Returns whether a value is kept that no call has.
    pub(crate) fn keeps_one(&self) -> bool {
        matches!(&*self.hold(), Kept::Free { value: Some(_), .. })
    }

    /// Returns whether the value was asked for since the last call.
    pub(crate) fn was_asked(&self) -> bool {
        let kept = self.hold();
        matches!(
            &*kept,
            Kept::Free {
                value: Some(_),
                recent: false,
                ..
            }
        )
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[test]
    fn one_call_at_a_time_has_it_and_the_next_one_gets_what_was_left() {
        let warm = Warm::default();
        let mut first = warm.try_take().expect("nobody has it");
        assert_eq!(first.value, None);
        assert!(warm.try_take().is_none());
        first.value = Some(7);
        drop(first);
        assert_eq!(warm.try_take().expect("free again").value, Some(7));
    }

    #[tokio::test]
    async fn all_calls_that_wait_get_it_also_if_one_is_cancelled() {
        let warm = Warm::<u32>::default();
        let first = warm.try_take().expect("nobody has it");
        let mut cancelled = Box::pin(warm.take());
        let mut second = Box::pin(warm.take());
        let mut third = Box::pin(warm.take());
        for waiting in [&mut cancelled, &mut second, &mut third] {
            assert!(waiting.now_or_never().is_none());
        }
        drop(first);
        drop(cancelled);
        drop(second.await);
        drop(third.await);
        assert!(warm.try_take().is_some());
    }
}
