//! Counts the memory mappings that the instances of a process have together.
//!
//! A memory, its guard regions and the stack of an instance are mappings of the process, and the
//! kernel limits the mappings of a process (`vm.max_map_count`, 65,530 unless it was changed).
//! Beyond the limit, mapping fails, and so does unmapping, in which case wasmtime and the allocator
//! abort the process. So mappings are counted. A start that would need too many evicts instances
//! that wait for their next call, or fails.

mod budget;
mod cost;
mod kernel;
mod no_room;

use std::sync::{Arc, LazyLock, Weak};

use budget::{Budget, For, Share};
pub(crate) use cost::{of_component, of_instance, of_pool, of_table};
pub(crate) use no_room::NoRoom;

use crate::model::purpose::Purpose;
use crate::sandbox::idle::{Entry, IdleInstances, Keeper};

/// The most mappings of a guard's instance that is not large: some ten memories.
const SMALL: u64 = 64;

/// The mappings of one host, within those of the process.
#[derive(Clone)]
pub(crate) struct Mappings {
    host: Arc<Budget>,
    process: Arc<Budget>,
}

/// The mappings of an instance, a component or a pool, until it ends. The value must be dropped
/// after the thing that it counts.
pub(crate) struct Mapped {
    /// Declared before the shares, so that the instance is no longer evictable when they end.
    entries: Vec<Entry>,
    shares: [Share; 2],
}

/// Returns the most mappings that the instances of a host with this setting may have.
pub(crate) fn most(setting: Option<u64>) -> u64 {
    let of_host = setting.unwrap_or_else(kernel::default_of_host);
    of_host.min(kernel::most_of_process())
}

impl Mappings {
    /// Creates the budget of a host with this limit and these idle instances.
    pub(crate) fn new(most: u64, idle: Arc<IdleInstances>) -> Self {
        /// The budget that all hosts of the process share.
        static PROCESS: LazyLock<Arc<Budget>> =
            LazyLock::new(|| Arc::new(Budget::new(kernel::most_of_process(), Arc::default())));
        Self {
            host: Arc::new(Budget::new(most, idle)),
            process: PROCESS.clone(),
        }
    }

    /// Takes mappings for an instance. When too few are free, idle instances are evicted.
    pub(crate) fn take(&self, mappings: u64, purpose: Purpose) -> Result<Mapped, NoRoom> {
        self.take_for(mappings, instance_of(purpose, mappings))
    }

    /// Takes mappings for compiled code.
    pub(crate) fn take_for_code(&self, mappings: u64) -> Result<Mapped, NoRoom> {
        self.take_for(mappings, For::Code)
    }

    /// Takes mappings for a pool, if they are free. No instance is evicted for it.
    pub(crate) fn take_for_pool(&self, mappings: u64) -> Result<Mapped, NoRoom> {
        self.take_for(mappings, For::Pool)
    }

    /// Checks whether an instance with this many mappings can start while no call runs.
    pub(crate) fn check(&self, mappings: u64, purpose: Purpose) -> Result<(), NoRoom> {
        let purpose = instance_of(purpose, mappings);
        self.host.check(mappings, purpose)?;
        self.process.check(mappings, purpose)
    }

    /// Returns the host's limit.
    pub(crate) fn most(&self) -> u64 {
        self.host.most()
    }

    /// Returns the number in use.
    pub(crate) fn used(&self) -> u64 {
        self.host.used()
    }

    fn take_for(&self, mappings: u64, purpose: For) -> Result<Mapped, NoRoom> {
        let host = self.host.take(mappings, purpose)?;
        let process = self.process.take(mappings, purpose)?;
        Ok(Mapped {
            entries: Vec::new(),
            shares: [host, process],
        })
    }
}

fn instance_of(purpose: Purpose, mappings: u64) -> For {
    match (purpose.is_guarding(), mappings <= SMALL) {
        (true, true) => For::Guard,
        (true, false) => For::LargeGuard,
        (false, _) => For::Observer,
    }
}

impl Mapped {
    /// Makes the instance evictable from now on, while this place holds it.
    pub(crate) fn keep_in(&mut self, keeper: &Weak<dyn Keeper>) {
        let entries = self.shares.iter().map(|share| share.enter(keeper.clone()));
        self.entries = entries.collect();
    }
}

#[cfg(test)]
mod tests;
