//! How many memory mappings the instances of a process have together.
//!
//! A memory, its guard regions and the stack of an instance are mappings of the process, and the kernel gives
//! a process no more than so many (`vm.max_map_count`, 65,530 unless it was changed). Past that mapping
//! fails, and so does unmapping, upon which wasmtime and the allocator end the process. So mappings are
//! counted, and a start that would need too many evicts instances that wait for their next call, or
//! fails.

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

/// How many mappings instances that take no share of observers' may have: some ten memories.
const SMALL: u64 = 64;

/// The mappings of one host, within those of the process.
#[derive(Clone)]
pub(crate) struct Mappings {
    host: Arc<Budget>,
    process: Arc<Budget>,
}

/// What an instance, a component or a pool has of them, until it ends. It must end behind what it is
/// counted for.
pub(crate) struct Mapped {
    /// Before the shares, so that the instance is no longer offered when they end.
    entries: Vec<Entry>,
    shares: [Share; 2],
}

/// How many mappings the instances of a host with this setting may have.
pub(crate) fn most(setting: Option<u64>) -> u64 {
    let of_host = setting.unwrap_or_else(kernel::default_of_host);
    of_host.min(kernel::most_of_process())
}

impl Mappings {
    /// Of a host that may have so many, and whose idle instances are these.
    pub(crate) fn new(most: u64, idle: Arc<IdleInstances>) -> Self {
        /// What all hosts of the process have.
        static PROCESS: LazyLock<Arc<Budget>> =
            LazyLock::new(|| Arc::new(Budget::new(kernel::most_of_process(), Arc::default())));
        Self {
            host: Arc::new(Budget::new(most, idle)),
            process: PROCESS.clone(),
        }
    }

    /// Takes so many for an instance. Where there are not so many, instances that no call has are evicted.
    pub(crate) fn take(&self, mappings: u64, purpose: Purpose) -> Result<Mapped, NoRoom> {
        self.take_for(mappings, instance_of(purpose, mappings))
    }

    /// The same for compiled code.
    pub(crate) fn take_for_code(&self, mappings: u64) -> Result<Mapped, NoRoom> {
        self.take_for(mappings, For::Code)
    }

    /// Takes so many for a pool, if they are free. No instance is evicted for it.
    pub(crate) fn take_for_pool(&self, mappings: u64) -> Result<Mapped, NoRoom> {
        self.take_for(mappings, For::Pool)
    }

    /// Checks whether an instance of so many starts while no call runs.
    pub(crate) fn check(&self, mappings: u64, purpose: Purpose) -> Result<(), NoRoom> {
        let purpose = instance_of(purpose, mappings);
        self.host.check(mappings, purpose)?;
        self.process.check(mappings, purpose)
    }

    /// How many the host may have.
    pub(crate) fn most(&self) -> u64 {
        self.host.most()
    }

    /// How many it has.
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
    /// The instance can be evicted from now on, whenever this place has it.
    pub(crate) fn keep_in(&mut self, keeper: &Weak<dyn Keeper>) {
        let entries = self.shares.iter().map(|share| share.enter(keeper.clone()));
        self.entries = entries.collect();
    }
}

#[cfg(test)]
mod tests;
