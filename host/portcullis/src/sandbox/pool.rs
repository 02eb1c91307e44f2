//! The instances that the sessions of a host share, where the operator says so.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::model::recording::CallRecording;
use crate::sandbox::idle::{GivenUp, Keeper};
use crate::sandbox::instance::Instance;

/// The most instances of a hook that are kept while nobody calls them: as many as calls of one hook
/// run side by side on a usual machine. Each holds up to the memory limit.
const MOST_IDLE: usize = 16;

/// The pools of a component, one for each way of recording. A session takes only instances whose calls are recorded as its
/// own are: a recorded call is made again after all calls of its instance before it, so one that is missing makes the others
/// incomplete, and a session that records nothing is not to pay for what others record.
#[derive(Clone, Default)]
pub(crate) struct Pools {
    unrecorded: Arc<Pool>,
    recorded: Arc<Pool>,
    with_directories: Arc<Pool>,
}

impl Pools {
    /// The instances of sessions that record in this way.
    pub(crate) fn of(&self, records: CallRecording) -> &Arc<Pool> {
        match records {
            CallRecording::Off => &self.unrecorded,
            CallRecording::Calls => &self.recorded,
            CallRecording::WithDirectories(_) => &self.with_directories,
        }
    }
}

/// Instances that nobody is calling.
#[derive(Default)]
pub(crate) struct Pool(Mutex<Idle>);

#[expect(
    clippy::vec_box,
    reason = "they are boxed wherever they are kept, and large to move"
)]
#[derive(Default)]
struct Idle {
    instances: Vec<Box<Instance>>,
    /// How many were evicted, and no other was started for them.
    given_up: usize,
}

impl Keeper for Pool {
    /// Gives up what was not called for the longest time: calls take from the other end.
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

    /// An instance was started. Returns whether it replaces one that was evicted.
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
