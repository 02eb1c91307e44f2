//! How much memory the instances of a host have together.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::model::failure::Failure;

/// What all instances of a host may have together, and have.
#[derive(Debug)]
pub(crate) struct MemoryBudget {
    most: u64,
    used: AtomicU64,
}

impl MemoryBudget {
    pub(crate) fn new(most: u64) -> Self {
        Self {
            most,
            used: AtomicU64::new(0),
        }
    }

    /// Takes so many bytes, if there are as many.
    fn take(&self, bytes: u64) -> bool {
        let taken = self
            .used
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
                used.checked_add(bytes).filter(|used| *used <= self.most)
            });
        taken.is_ok()
    }
}

/// An instance's share of it, which ends with the instance.
#[derive(Debug)]
pub(crate) struct Share {
    budget: Arc<MemoryBudget>,
    bytes: u64,
    /// Whether it did not get what it was last set to.
    refused: bool,
}

impl Share {
    pub(crate) fn of(budget: &Arc<MemoryBudget>) -> Self {
        Self {
            budget: budget.clone(),
            bytes: 0,
            refused: false,
        }
    }

    /// Makes it so large. Where there is not so much it stays as it is.
    pub(crate) fn set(&mut self, bytes: usize) -> bool {
        let bytes = bytes as u64;
        match bytes.checked_sub(self.bytes) {
            Some(more) => self.refused = !self.budget.take(more),
            None => {
                let less = self.bytes - bytes;
                self.budget.used.fetch_sub(less, Ordering::Relaxed);
                self.refused = false;
            }
        }
        if !self.refused {
            self.bytes = bytes;
        }
        !self.refused
    }

    /// The failure of an instance that needs more than there is.
    pub(crate) fn full(&self) -> Failure {
        Failure::Overload(format!(
            "the instances of all sessions have the {} bytes of memory that they may have together ([engine] memory-bytes)",
            self.budget.most
        ))
    }

    /// That failure, if it did not get what it needs.
    #[inline]
    pub(crate) fn refused(&self) -> Option<Failure> {
        self.refused.then(|| self.full())
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.budget.used.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_has_the_others_do_not_until_it_ends() {
        let budget = Arc::new(MemoryBudget::new(100));
        let (mut one, mut other) = (Share::of(&budget), Share::of(&budget));
        assert!(one.set(60) && other.set(40));
        assert!(!other.set(41));
        assert!(matches!(other.refused(), Some(Failure::Overload(_))));
        assert!(one.set(59) && other.set(41));
        assert!(other.refused().is_none());
        drop(one);
        assert!(other.set(100) && !other.set(usize::MAX));
        drop(other);
        assert_eq!(budget.used.load(Ordering::Relaxed), 0);
    }
}
