//! The instances that wait for their next call, and can be evicted to make room for others.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, Weak};

use indexmap::IndexMap;

/// The maximum number of recently called instances to skip before one of them is evicted. So the
/// evicted instance was usually not called for a while, and finding one takes few steps, however
/// many instances there are.
const MOST_SPARED: usize = 8;

/// A lock that is held for reading while an evicted instance is dropped. Once it can be taken for
/// writing, the instance's resources are free.
static ENDING: RwLock<()> = RwLock::new(());

/// A place that keeps instances between calls.
pub(crate) trait Keeper: Send + Sync {
    /// Takes an instance out of the place. A place may keep an instance that was called since the
    /// last request, unless `also_recent`.
    fn give_up(&self, also_recent: bool) -> GivenUp;
}

/// The result of asking a place to evict.
pub(crate) enum GivenUp {
    /// An instance.
    Instance(Box<dyn Send>),
    /// Nothing, because the instance was called lately.
    Spared,
    /// Nothing, because a call has the instance or there is none.
    Nothing,
}

/// The places that keep instances, grouped by the owner of the instances.
#[derive(Default)]
pub(crate) struct IdleInstances {
    observers: Keepers,
    large_guards: Keepers,
    guards: Keepers,
}

/// The owner of an instance, in the order of eviction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
pub(crate) enum Whose {
    /// An observer, or a hook that the operator did not name.
    Observer,
    /// A guard with so many mappings that it shares those of observers.
    LargeGuard,
    /// Any other guard.
    Guard,
}

impl IdleInstances {
    /// Adds a place until the entry is dropped.
    pub(crate) fn enter(self: &Arc<Self>, keeper: Weak<dyn Keeper>, whose: Whose) -> Entry {
        let key = self.keepers(whose).enter(keeper);
        Entry {
            idle: self.clone(),
            whose,
            key,
        }
    }

    /// Evicts idle instances, in the order of [`Whose`] up to `last`, until `taken` succeeds.
    /// Returns whether it succeeded.
    pub(crate) fn make_room(&self, last: Whose, mut taken: impl FnMut() -> bool) -> bool {
        if taken() {
            return true;
        }
        while self.give_up(last) {
            if taken() {
                return true;
            }
        }
        // Another thread may have evicted the last instances, and their resources may not be free
        // yet.
        drop(ENDING.write());
        taken()
    }

    /// Evicts an idle instance. Returns whether there was one.
    fn give_up(&self, last: Whose) -> bool {
        let order = [Whose::Observer, Whose::LargeGuard, Whose::Guard];
        let mut given = order.into_iter().take_while(|whose| *whose <= last);
        given.any(|whose| self.keepers(whose).give_up())
    }

    fn keepers(&self, whose: Whose) -> &Keepers {
        match whose {
            Whose::Observer => &self.observers,
            Whose::LargeGuard => &self.large_guards,
            Whose::Guard => &self.guards,
        }
    }
}

/// An instance's entry among the evictable ones.
pub(crate) struct Entry {
    idle: Arc<IdleInstances>,
    whose: Whose,
    key: u64,
}

impl Drop for Entry {
    fn drop(&mut self) {
        let keepers = self.idle.keepers(self.whose);
        let gone = keepers.hold().places.swap_remove(&self.key);
        // Dropped after the lock is released.
        drop(gone);
    }
}

#[derive(Default)]
struct Keepers(Mutex<Places>);

#[derive(Default)]
struct Places {
    places: IndexMap<u64, Weak<dyn Keeper>>,
    entered: u64,
    asked: u64,
}

impl Keepers {
    fn hold(&self) -> MutexGuard<'_, Places> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(&self, keeper: Weak<dyn Keeper>) -> u64 {
        let mut places = self.hold();
        let key = places.entered;
        places.entered += 1;
        places.places.insert(key, keeper);
        key
    }

    /// Asks the places one after another, from a random one on. The lock is not held meanwhile,
    /// since dropping an instance or a place takes it.
    fn give_up(&self) -> bool {
        let _ending = ENDING.read();
        let (begin, places) = self.hold().somewhere();
        let mut spared = 0;
        // One round, and a second one for the spared instances.
        for asked in 0..2 * places {
            let Some(keeper) = self.hold().at(begin + asked) else {
                return false;
            };
            let recent = spared >= MOST_SPARED || asked >= places;
            match keeper.upgrade().map(|keeper| keeper.give_up(recent)) {
                Some(GivenUp::Instance(instance)) => {
                    drop(instance);
                    return true;
                }
                Some(GivenUp::Spared) => spared += 1,
                Some(GivenUp::Nothing) | None => {}
            }
            if asked + 1 == places && spared == 0 {
                return false;
            }
        }
        false
    }
}

impl Places {
    /// Returns a random start and the number of places. The order of calls often repeats itself;
    /// following it here would evict each instance just before its next call.
    fn somewhere(&mut self) -> (usize, usize) {
        /// Spreads consecutive numbers over all.
        const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
        self.asked = self.asked.wrapping_add(1);
        let number = (self.asked.wrapping_mul(MIX) >> 32) as usize;
        let places = self.places.len();
        (number.checked_rem(places).unwrap_or_default(), places)
    }

    /// Returns the place with this number, wrapping around at the end.
    fn at(&self, number: usize) -> Option<Weak<dyn Keeper>> {
        let number = number.checked_rem(self.places.len())?;
        self.places
            .get_index(number)
            .map(|(_, keeper)| keeper.clone())
    }
}

#[cfg(test)]
mod tests;
