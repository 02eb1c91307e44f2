//! A count of a resource in use, up to a limit.

use std::sync::atomic::{AtomicU64, Ordering};

/// The amount of a limited resource that is in use.
#[derive(Debug)]
pub(crate) struct Sum {
    pub(crate) most: u64,
    used: AtomicU64,
}

impl Sum {
    pub(crate) const fn new(most: u64) -> Self {
        Self {
            most,
            used: AtomicU64::new(0),
        }
    }

    /// Takes `amount`, if the sum is then no more than `most`.
    pub(crate) fn take(&self, amount: u64, most: u64) -> bool {
        let taken = self
            .used
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
                used.checked_add(amount).filter(|used| *used <= most)
            });
        taken.is_ok()
    }

    pub(crate) fn free(&self, amount: u64) {
        self.used.fetch_sub(amount, Ordering::Relaxed);
    }

    /// Returns the amount in use.
    pub(crate) fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }
}
