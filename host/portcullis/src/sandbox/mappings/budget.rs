//! A number of mappings, and who has them.

use std::sync::{Arc, Weak};

use super::no_room::NoRoom;
use crate::sandbox::idle::{Entry, IdleInstances, Keeper, Whose};
use crate::sandbox::sum::Sum;

/// How many mappings there may be, and are.
pub(super) struct Budget {
    all: Sum,
    others: Sum,
    loaded: Sum,
    idle: Arc<IdleInstances>,
}

/// What mappings are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum For {
    /// An instance of a guard. It may have all.
    Guard,
    /// An instance of an observer, of a hook that the operator did not name, or a large one. They have at
    /// most half together, so that they keep no guard from being started.
    Other,
    /// What is there while hooks are loaded: compiled code, and pools. It has at most half too.
    Loaded,
}

/// So many of them, which are free again when it is dropped.
pub(super) struct Share {
    budget: Arc<Budget>,
    mappings: u64,
    purpose: For,
}

impl Budget {
    pub(super) fn new(most: u64, idle: Arc<IdleInstances>) -> Self {
        Self {
            all: Sum::new(most),
            others: Sum::new(most / 2),
            loaded: Sum::new(most / 2),
            idle,
        }
    }

    /// How many there may be.
    pub(super) fn most(&self) -> u64 {
        self.all.most
    }

    /// How many there are.
    pub(super) fn used(&self) -> u64 {
        self.all.used()
    }

    /// Checks whether there are so many while no call runs.
    pub(super) fn check(&self, takes: u64, purpose: For) -> Result<(), NoRoom> {
        let loaded = self.loaded.used();
        let left = self.all.most.saturating_sub(loaded);
        let may = match purpose {
            For::Guard => left,
            For::Other => left.min(self.others.most),
            For::Loaded => self.loaded.most.saturating_sub(loaded),
        };
        match takes > may {
            true => Err(NoRoom::TooMany { takes, may }),
            false => Ok(()),
        }
    }

    /// Takes so many, and gives up idle instances until there are as many.
    pub(super) fn take(self: &Arc<Self>, mappings: u64, purpose: For) -> Result<Share, NoRoom> {
        // What is too large for the limit itself does not cost the others their instances.
        self.check(mappings, purpose)?;
        if !self.is_taken(mappings, purpose) {
            return Err(NoRoom::InUse {
                guarding: purpose != For::Other,
                most: self.all.most,
            });
        }
        Ok(Share {
            budget: self.clone(),
            mappings,
            purpose,
        })
    }

    fn is_taken(&self, mappings: u64, purpose: For) -> bool {
        let room = |sum: &Sum, whose| self.idle.make_room(whose, || sum.take(mappings, sum.most));
        let part = match purpose {
            For::Guard => true,
            For::Other => room(&self.others, Whose::Others),
            For::Loaded => self.loaded.take(mappings, self.loaded.most),
        };
        let all = part && room(&self.all, Whose::Anybodys);
        if part && !all {
            self.free_part(mappings, purpose);
        }
        all
    }

    fn free_part(&self, mappings: u64, purpose: For) {
        match purpose {
            For::Guard => {}
            For::Other => self.others.free(mappings),
            For::Loaded => self.loaded.free(mappings),
        }
    }
}

impl Share {
    /// Enters the place of the instance that it is of.
    pub(super) fn enter(&self, keeper: Weak<dyn Keeper>) -> Entry {
        let guarding = self.purpose == For::Guard;
        self.budget.idle.enter(keeper, guarding)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.budget.all.free(self.mappings);
        self.budget.free_part(self.mappings, self.purpose);
    }
}
