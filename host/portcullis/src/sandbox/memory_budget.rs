//! The memory budget that the instances of a host share.

use std::sync::Arc;

use crate::model::failure::Failure;
use crate::model::purpose::Purpose;
use crate::sandbox::idle::{IdleInstances, Whose};
use crate::sandbox::sum::Sum;

/// The largest instance, in bytes, that may use the part kept for small ones: more than a guard's
/// instance has in any of the languages.
const SMALL: u64 = 8 << 20;

/// The limit on the memory of all instances of a host, and its use. Instances of observers have at
/// most half of it, and an instance grows beyond [`SMALL`] only while a quarter is free: so neither
/// observers nor instances that hoard memory keep a guard from being started.
pub(crate) struct MemoryBudget {
    all: Sum,
    observing: Sum,
    idle: Arc<IdleInstances>,
}

impl MemoryBudget {
    /// Creates the budget of a host with this many bytes and these idle instances.
    pub(crate) fn new(most: u64, idle: Arc<IdleInstances>) -> Self {
        Self {
            all: Sum::new(most),
            observing: Sum::new(most / 2),
            idle,
        }
    }

    /// Takes this many more bytes for an instance whose total is then `total`. When too few are
    /// free, idle instances are evicted.
    fn take(&self, bytes: u64, total: u64, purpose: Purpose) -> bool {
        let all = match total > SMALL {
            true => self.all.most - self.all.most / 4,
            false => self.all.most,
        };
        let room = |sum: &Sum, most, last| {
            // A request over the limit is refused first, so that it evicts no instance.
            total <= most && self.idle.make_room(last, || sum.take(bytes, most))
        };
        let observing = !purpose.is_guarding();
        if observing && !room(&self.observing, self.observing.most, Whose::Observer) {
            return false;
        }
        let taken = room(&self.all, all, Whose::Guard);
        if observing && !taken {
            self.observing.free(bytes);
        }
        taken
    }

    fn free(&self, bytes: u64, purpose: Purpose) {
        self.all.free(bytes);
        if !purpose.is_guarding() {
            self.observing.free(bytes);
        }
    }
}

/// An instance's share of the budget, which ends with the instance.
pub(crate) struct Share {
    budget: Arc<MemoryBudget>,
    purpose: Purpose,
    bytes: u64,
    /// Whether the last request to set the size was refused.
    refused: bool,
}

impl Share {
    pub(crate) fn of(budget: &Arc<MemoryBudget>, purpose: Purpose) -> Self {
        Self {
            budget: budget.clone(),
            purpose,
            bytes: 0,
            refused: false,
        }
    }

    /// Sets the size of the share. Returns false if there is too little memory; the size is then
    /// unchanged.
    pub(crate) fn set(&mut self, bytes: usize) -> bool {
        let bytes = bytes as u64;
        match bytes.checked_sub(self.bytes) {
            Some(more) => self.refused = !self.budget.take(more, bytes, self.purpose),
            None => {
                let less = self.bytes - bytes;
                self.budget.free(less, self.purpose);
                self.refused = false;
            }
        }
        if !self.refused {
            self.bytes = bytes;
        }
        !self.refused
    }

    /// Returns the failure of an instance that needs more memory than there is.
    pub(crate) fn full(&self) -> Failure {
        let sharing = match self.purpose.is_guarding() {
            true => "of all sessions have",
            false => "of all sessions have, or those of observers and unnamed hooks half of,",
        };
        Failure::Overload(format!(
            "the instances {sharing} the {} bytes of memory that they may have together, or all but the quarter that is kept for small instances ([engine] memory-bytes)",
            self.budget.all.most
        ))
    }

    /// Returns the failure if the last request was refused.
    #[inline]
    pub(crate) fn refused(&self) -> Option<Failure> {
        self.refused.then(|| self.full())
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.budget.free(self.bytes, self.purpose);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::idle::Entry;
    use crate::sandbox::warm::Warm;

    fn guard(budget: &Arc<MemoryBudget>) -> Share {
        Share::of(budget, Purpose::Deciding)
    }

    #[test]
    fn what_one_has_the_others_do_not_until_it_ends() {
        let budget = Arc::new(MemoryBudget::new(100, Arc::default()));
        let (mut one, mut other) = (guard(&budget), guard(&budget));
        assert!(one.set(60) && other.set(40));
        assert!(!other.set(41));
        assert!(matches!(other.refused(), Some(Failure::Overload(_))));
        assert!(one.set(59) && other.set(41));
        assert!(other.refused().is_none());
        drop(one);
        assert!(other.set(100) && !other.set(usize::MAX));
        drop(other);
        assert_eq!(budget.all.used(), 0);
    }

    /// Returns a place that keeps an instance, and its entry.
    fn kept(
        idle: &Arc<IdleInstances>,
        whose: Whose,
        share: Share,
    ) -> (Arc<Warm<Box<Share>>>, Entry) {
        let warm = Arc::new(Warm::default());
        warm.try_take().expect("free").value = Some(Box::new(share));
        let entry = idle.enter(Arc::downgrade(&warm) as _, whose);
        (warm, entry)
    }

    #[test]
    fn an_instance_that_no_call_has_is_given_up_for_memory() {
        let idle = Arc::new(IdleInstances::default());
        let budget = Arc::new(MemoryBudget::new(100, idle.clone()));
        let (mut waits, mut observes) = (guard(&budget), Share::of(&budget, Purpose::Observing));
        assert!(waits.set(60) && observes.set(40));
        let (waits, observes) = (
            kept(&idle, Whose::Guard, waits),
            kept(&idle, Whose::Observer, observes),
        );
        let mut one = guard(&budget);
        assert!(!one.set(101));
        assert!(waits.0.keeps_one() && observes.0.keeps_one());
        assert!(one.set(40));
        assert!(waits.0.keeps_one() && !observes.0.keeps_one());
        assert!(one.set(100));
        assert!(!waits.0.keeps_one());
    }

    #[test]
    fn observers_have_no_more_than_half() {
        let budget = Arc::new(MemoryBudget::new(100, Arc::default()));
        let observer = || Share::of(&budget, Purpose::Observing);
        let (mut one, mut other) = (observer(), observer());
        assert!(one.set(30) && other.set(20) && !other.set(21));
        assert!(guard(&budget).set(50));
        drop(one);
        assert!(other.set(50));
        drop(other);
        assert_eq!(budget.observing.used(), 0);
    }

    #[test]
    fn an_observer_takes_nothing_of_a_large_guard() {
        let idle = Arc::new(IdleInstances::default());
        let budget = Arc::new(MemoryBudget::new(100, idle.clone()));
        let (mut large, mut observes) = (guard(&budget), Share::of(&budget, Purpose::Observing));
        assert!(large.set(10) && observes.set(40));
        let large = kept(&idle, Whose::LargeGuard, large);
        assert!(!Share::of(&budget, Purpose::Observing).set(11));
        assert!(large.0.keeps_one());
    }

    #[test]
    fn a_quarter_is_kept_for_small_instances() {
        let budget = Arc::new(MemoryBudget::new(10 * SMALL, Arc::default()));
        let small = usize::try_from(SMALL).unwrap();
        let (mut large, mut larger) = (guard(&budget), guard(&budget));
        assert!(large.set(7 * small) && !large.set(8 * small));
        assert!(larger.set(small / 2) && !larger.set(small + 1));
        let smalls: Vec<_> = (0..2)
            .map(|_| {
                let mut share = guard(&budget);
                (share.set(small), share)
            })
            .collect();
        assert!(smalls.iter().all(|(taken, _)| *taken));
    }
}
