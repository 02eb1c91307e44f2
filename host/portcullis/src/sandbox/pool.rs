//! The instances that the sessions of a host share, if the operator configured sharing.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::model::recording::CallRecording;
use crate::sandbox::idle::{GivenUp, Keeper};
use crate::sandbox::instance::Instance;

/// The most idle instances of a hook that are kept: as many as calls of one hook run concurrently
/// on a typical machine. Each takes memory up to its limit.
const MOST_IDLE: usize = 16;

/// The pools of a component, one for each way of recording. A session takes only instances whose
/// calls are recorded as its own are. A replay makes all calls of an instance in order, so a
/// missing call makes the others incomplete. And a session that records nothing must not pay for
/// the recordings of others.
#[derive(Clone, Default)]
pub(crate) struct Pools {
    unrecorded: Arc<Pool>,
    recorded: Arc<Pool>,
    with_directories: Arc<Pool>,
}

impl Pools {
    /// Returns the pool of sessions that record in this way.
    pub(crate) fn of(&self, records: CallRecording) -> &Arc<Pool> {
        match records {
            CallRecording::Off => &self.unrecorded,
            CallRecording::Calls => &self.recorded,
            CallRecording::WithDirectories(_) => &self.with_directories,
        }
    }
}

/// Idle instances.
#[derive(Default)]
pub(crate) struct Pool(Mutex<Idle>);

#[expect(
    clippy::vec_box,
    reason = "they are boxed wherever they are kept, and large to move"
)]
#[derive(Default)]
struct Idle {
    instances: Vec<Box<Instance>>,
    /// The number of evicted instances that were not replaced yet.
    given_up: usize,
}

impl Keeper for Pool {
    /// Evicts the instance that was idle for the longest time: calls take from the other end.
    fn give_up(&self, _: bool) -> GivenUp {
        let mut idle = self.hold();
        if idle.instances.is_empty() {
            return GivenUp::Nothing;
        }
        idle.given_up += 1;
        GivenUp::Instance(idle.instances.remove(0))
    }
}

impl Pool {
    pub(crate) fn take(&self) -> Option<Box<Instance>> {
        self.hold().instances.pop()
    }

    pub(crate) fn put(&self, instance: Box<Instance>) {
        let mut idle = self.hold();
        if idle.instances.len() < MOST_IDLE {
            idle.instances.push(instance);
        }
    }

    /// Notes that an instance was started. Returns whether it replaces an evicted one.
    pub(crate) fn started(&self) -> bool {
        let mut idle = self.hold();
        let replaces = idle.given_up > 0;
        idle.given_up = idle.given_up.saturating_sub(1);
        replaces
    }

    fn hold(&self) -> MutexGuard<'_, Idle> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
