//! A budget of mappings, and its shares.

use std::sync::{Arc, Weak};

use super::no_room::NoRoom;
use crate::sandbox::idle::{Entry, IdleInstances, Keeper, Whose};
use crate::sandbox::sum::Sum;

/// The limit on mappings, and the number in use.
pub(super) struct Budget {
    all: Sum,
    others: Sum,
    loaded: Sum,
    idle: Arc<IdleInstances>,
}

/// The purpose of mappings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum For {
    /// An instance of a guard. It may use the whole budget.
    Guard,
    /// A large instance of a guard. It shares a half with [`For::Observer`].
    LargeGuard,
    /// An instance of an observer, or of a hook that the operator did not name. They have at most half
    /// together, so that they keep no guard from being started.
    Observer,
    /// Compiled code, for as long as its hook is loaded. It may use at most half, too.
    Code,
    /// A pool, which shares the half of [`For::Code`]. Calls can run without it, so it evicts no
    /// instance.
    Pool,
}

impl For {
    /// Returns the owner of an instance.
    const fn whose(self) -> Whose {
        match self {
            Self::Observer => Whose::Observer,
            Self::LargeGuard => Whose::LargeGuard,
            Self::Guard | Self::Code | Self::Pool => Whose::Guard,
        }
    }
}

/// A number of mappings, which are free again when the share is dropped.
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

    /// Returns the limit.
    pub(super) fn most(&self) -> u64 {
        self.all.most
    }

    /// Returns the number in use.
    pub(super) fn used(&self) -> u64 {
        self.all.used()
    }

    /// Checks whether there is room for this many mappings while no call runs.
    pub(super) fn check(&self, takes: u64, purpose: For) -> Result<(), NoRoom> {
        let loaded = self.loaded.used();
        let left = self.all.most.saturating_sub(loaded);
        let may = match purpose {
            For::Guard => left,
            For::LargeGuard | For::Observer => left.min(self.others.most),
            For::Code | For::Pool => self.loaded.most.saturating_sub(loaded),
        };
        match takes > may {
            true => Err(NoRoom::TooMany { takes, may }),
            false => Ok(()),
        }
    }

    /// Takes mappings, and evicts idle instances until enough are free.
    pub(super) fn take(self: &Arc<Self>, mappings: u64, purpose: For) -> Result<Share, NoRoom> {
        // A request over the limit is refused first, so that it evicts no instance.
        self.check(mappings, purpose)?;
        if !self.is_taken(mappings, purpose) {
            return Err(NoRoom::InUse {
                may_have_all: self.part(purpose).is_none(),
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
        let take = |sum: &Sum| sum.take(mappings, sum.most);
        let room = |sum, last| self.idle.make_room(last, || take(sum));
        let part = self.part(purpose);
        let has_part = match (part, purpose) {
            (None, _) => true,
            (Some(part), For::LargeGuard | For::Observer) => room(part, Whose::LargeGuard),
            (Some(part), _) => take(part),
        };
        let has_all = has_part
            && match purpose {
                For::Pool => take(&self.all),
                _ => room(&self.all, Whose::Guard),
            };
        if has_part && !has_all {
            self.free_part(mappings, purpose);
        }
        has_all
    }

    /// Returns the part of the budget that a purpose shares with others.
    fn part(&self, purpose: For) -> Option<&Sum> {
        match purpose {
            For::Guard => None,
            For::LargeGuard | For::Observer => Some(&self.others),
            For::Code | For::Pool => Some(&self.loaded),
        }
    }

    fn free_part(&self, mappings: u64, purpose: For) {
        if let Some(part) = self.part(purpose) {
            part.free(mappings);
        }
    }
}

impl Share {
    /// Adds the place of the instance that the share belongs to.
    pub(super) fn enter(&self, keeper: Weak<dyn Keeper>) -> Entry {
        self.budget.idle.enter(keeper, self.purpose.whose())
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.budget.all.free(self.mappings);
        self.budget.free_part(self.mappings, self.purpose);
    }
}
