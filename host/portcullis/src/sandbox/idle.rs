//! The instances that wait for their next call, and can be evicted so that others may start.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, Weak};

use indexmap::IndexMap;

/// How many instances that were called lately are left alone before one of them is evicted. So mostly
/// an instance goes that was not called for a while, and to find one takes few steps however many there are.
const MOST_SPARED: usize = 8;

/// Read while an instance that was evicted ends. What it had is free once it can be written.
static ENDING: RwLock<()> = RwLock::new(());

/// A place that keeps instances between calls.
pub(crate) trait Keeper: Send + Sync {
    /// Takes an instance out of it. A place may leave one that was called since this was asked last, unless
    /// `also_recent`.
    fn give_up(&self, also_recent: bool) -> GivenUp;
}

/// What a place evicted.
pub(crate) enum GivenUp {
    /// An instance.
    Instance(Box<dyn Send>),
    /// Nothing, because its instance was called lately.
    Spared,
    /// Nothing, because a call has the instance or there is none.
    Nothing,
}

/// The places that keep instances, apart by whose the instances are.
#[derive(Default)]
pub(crate) struct IdleInstances {
    observers: Keepers,
    large_guards: Keepers,
    guards: Keepers,
}

/// Whose an instance is, in the order in which instances are evicted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
pub(crate) enum Whose {
    /// An observer's, or that of a hook that the operator did not name.
    Observer,
    /// A guard's, if it takes so many mappings that it shares those of observers.
    LargeGuard,
    /// Any other guard's.
    Guard,
}

impl IdleInstances {
    /// Enters a place, for as long as the entry lives.
    pub(crate) fn enter(self: &Arc<Self>, keeper: Weak<dyn Keeper>, whose: Whose) -> Entry {
        let key = self.keepers(whose).enter(keeper);
        Entry {
            idle: self.clone(),
            whose,
            key,
        }
    }

    /// Gives up instances that no call has until `taken` succeeds: those up to `last`, in the order of [`Whose`].
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
        // Another thread may have evicted the last ones, and what they had is not free yet.
        drop(ENDING.write());
        taken()
    }

    /// Gives up an instance that no call has. Returns whether there was one.
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

/// An instance's entry among those that may be evicted.
pub(crate) struct Entry {
    idle: Arc<IdleInstances>,
    whose: Whose,
    key: u64,
}

impl Drop for Entry {
    fn drop(&mut self) {
        let keepers = self.idle.keepers(self.whose);
        let gone = keepers.hold().places.swap_remove(&self.key);
        // Dropped behind the lock.
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

    /// Asks one place after another from somewhere on. No lock of theirs is held meanwhile: to drop an
    /// instance or a place comes back here.
    fn give_up(&self) -> bool {
        let _ending = ENDING.read();
        let (begin, places) = self.hold().somewhere();
        let mut spared = 0;
        // Once around, and once more for those that were spared.
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
    /// Where to begin, at random, and how many places there are. The order of calls often repeats itself; were
    /// it followed here, each instance would be evicted just before its next call.
    fn somewhere(&mut self) -> (usize, usize) {
        /// Spreads consecutive numbers over all.
        const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
        self.asked = self.asked.wrapping_add(1);
        let number = (self.asked.wrapping_mul(MIX) >> 32) as usize;
        let places = self.places.len();
        (number.checked_rem(places).unwrap_or_default(), places)
    }

    /// The place with this number, counted on from the first behind the last.
    fn at(&self, number: usize) -> Option<Weak<dyn Keeper>> {
        let number = number.checked_rem(self.places.len())?;
        self.places
            .get_index(number)
            .map(|(_, keeper)| keeper.clone())
    }
}

#[cfg(test)]
mod tests;
