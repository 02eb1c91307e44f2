//! A number of mappings, and who has them.

use std::sync::{Arc, Weak};

use crate::sandbox::idle::{Entry, IdleInstances, Keeper, Whose};
use crate::sandbox::sum::Sum;

/// How many mappings there may be, and are. Those of observers, of hooks that the operator did not name and
/// of large instances are at most half of them, so that they keep no guard from being started.
pub(super) struct Budget {
    all: Sum,
    others: Sum,
    idle: Arc<IdleInstances>,
}

/// So many of them, which are free again when it is dropped.
pub(super) struct Share {
    budget: Arc<Budget>,
    mappings: u64,
    guarding: bool,
}

impl Budget {
    pub(super) fn new(most: u64) -> Self {
        Self {
            all: Sum::new(most),
            others: Sum::new(most / 2),
            idle: Arc::default(),
        }
    }

    pub(super) fn most(&self) -> u64 {
        self.all.most
    }

    /// Takes so many, and gives up idle instances until there are as many. Fails if calls have too many.
    pub(super) fn take(self: &Arc<Self>, mappings: u64, guarding: bool) -> Result<Share, ()> {
        if !guarding {
            self.make_room(&self.others, mappings, Whose::Others)?;
        }
        if let Err(full) = self.make_room(&self.all, mappings, Whose::Anybodys) {
            if !guarding {
                self.others.free(mappings);
            }
            return Err(full);
        }
        Ok(self.share(mappings, guarding))
    }

    /// Counts so many that are there already.
    pub(super) fn hold(self: &Arc<Self>, mappings: u64) -> Share {
        self.all.add(mappings);
        self.share(mappings, true)
    }

    fn make_room(&self, sum: &Sum, mappings: u64, whose: Whose) -> Result<(), ()> {
        while !sum.take(mappings, sum.most) {
            // What is too large for the limit itself does not cost the others their instances.
            if mappings > sum.most || !self.idle.give_up(whose) {
                return Err(());
            }
        }
        Ok(())
    }

    fn share(self: &Arc<Self>, mappings: u64, guarding: bool) -> Share {
        Share {
            budget: self.clone(),
            mappings,
            guarding,
        }
    }
}

impl Share {
    /// Enters the place of the instance that it is of.
    pub(super) fn enter(&self, keeper: Weak<dyn Keeper>) -> Entry {
        self.budget.idle.enter(keeper, self.guarding)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.budget.all.free(self.mappings);
        if !self.guarding {
            self.budget.others.free(self.mappings);
        }
    }
}
