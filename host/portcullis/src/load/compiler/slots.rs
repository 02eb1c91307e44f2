//! A limit on concurrent compilations in child processes.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;

use super::LoadFault;
use super::child::POLL;

/// The most concurrent compilations. Each may use all processors, and `compile-memory-bytes` of
/// memory.
const MOST: usize = 4;

/// The slots for compilations.
#[derive(Debug, Default)]
pub(super) struct Slots {
    taken: Mutex<usize>,
    freed: Condvar,
}

/// A taken slot. Dropping it releases the slot.
pub(super) struct Slot<'a>(&'a Slots);

impl Slots {
    /// Waits for a free slot.
    pub(super) fn take(&self, cancel: &CancellationToken) -> Result<Slot<'_>, LoadFault> {
        let mut taken = self.lock();
        while *taken >= MOST {
            if cancel.is_cancelled() {
                return Err(LoadFault::CompileCancelled);
            }
            let waited = self.freed.wait_timeout(taken, POLL);
            taken = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        *taken += 1;
        Ok(Slot(self))
    }

    fn lock(&self) -> MutexGuard<'_, usize> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        *self.0.lock() -= 1;
        self.0.freed.notify_one();
    }
}
