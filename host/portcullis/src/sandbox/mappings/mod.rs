//! How many memory mappings the instances of a process have together.
//!
//! A memory, its guard regions and the stack of an instance are mappings of the process, and the kernel gives
//! a process no more than so many (`vm.max_map_count`, 65,530 unless it was changed). Past that mapping
//! fails, and so does unmapping, upon which wasmtime and the allocator end the process. So mappings are
//! counted, and a start that would need too many gives up instances that wait for their next call, or
//! fails.

mod budget;
mod cost;
mod kernel;

use std::sync::{Arc, LazyLock, Weak};

use budget::{Budget, Share};
pub(crate) use cost::{of_component, of_instance, of_pool, of_table};

use crate::model::failure::Failure;
use crate::model::purpose::Purpose;
use crate::sandbox::idle::{Entry, Keeper};

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

impl Mappings {
    /// Of a host that may have so many, or three quarters of what the kernel gives.
    pub(crate) fn new(most: Option<u64>) -> Self {
        /// What all hosts of the process have.
        static PROCESS: LazyLock<Arc<Budget>> =
            LazyLock::new(|| Arc::new(Budget::new(kernel::most_of_process())));
        let most = most.unwrap_or_else(kernel::default_of_host);
        Self {
            host: Arc::new(Budget::new(most)),
            process: PROCESS.clone(),
        }
    }

    /// Takes so many for an instance. Where there are not so many, instances that no call has are given up.
    pub(crate) fn take(&self, mappings: u64, purpose: Purpose) -> Result<Mapped, Failure> {
        let guarding = purpose.is_guarding() && mappings <= SMALL;
        let take = |budget: &Arc<Budget>| budget.take(mappings, guarding);
        let full = |()| self.full(guarding);
        let host = take(&self.host).map_err(full)?;
        let process = take(&self.process).map_err(full)?;
        Ok(Mapped {
            entries: Vec::new(),
            shares: [host, process],
        })
    }

    /// Counts so many that are there already.
    pub(crate) fn hold(&self, mappings: u64) -> Mapped {
        let hold = |budget: &Arc<Budget>| budget.hold(mappings);
        Mapped {
            entries: Vec::new(),
            shares: [hold(&self.host), hold(&self.process)],
        }
    }

    fn full(&self, guarding: bool) -> Failure {
        let sharing = match guarding {
            true => "of all sessions have",
            false => "of observers, of unnamed hooks and of large components have half of",
        };
        Failure::Overload(format!(
            "the calls that run now {sharing} the {} memory mappings that instances may have together ([engine] memory-mappings, vm.max_map_count)",
            self.host.most().min(self.process.most())
        ))
    }
}

impl Mapped {
    /// The instance can be given up from now on, whenever this place has it.
    pub(crate) fn keep_in(&mut self, keeper: &Weak<dyn Keeper>) {
        let entries = self.shares.iter().map(|share| share.enter(keeper.clone()));
        self.entries = entries.collect();
    }
}

#[cfg(test)]
mod tests;
