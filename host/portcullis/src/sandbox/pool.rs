//! The instances that the sessions of a host share, where the operator says so.

use std::sync::{Mutex, PoisonError};

use crate::sandbox::idle::{GivenUp, Keeper};
use crate::sandbox::instance::Instance;

/// The most instances of a hook that are kept while nobody calls them: as many as calls of one hook
/// run side by side on a usual machine. Each holds up to the memory limit.
const MOST_IDLE: usize = 16;

/// Instances that nobody is calling.
#[expect(
    clippy::vec_box,
    reason = "they are boxed wherever they are kept, and large to move"
)]
#[derive(Default)]
pub(crate) struct Pool(Mutex<Vec<Box<Instance>>>);

impl Keeper for Pool {
    /// Gives up what was not called for the longest time: calls take from the other end.
    fn give_up(&self, _: bool) -> GivenUp {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match idle.is_empty() {
            true => GivenUp::Nothing,
            false => GivenUp::Instance(idle.remove(0)),
        }
    }
}

impl Pool {
    pub(crate) fn take(&self) -> Option<Box<Instance>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    pub(crate) fn put(&self, instance: Box<Instance>) {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < MOST_IDLE {
            idle.push(instance);
        }
    }
}
