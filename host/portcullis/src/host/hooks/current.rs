//! The current hooks, on which sessions are opened.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::HookSet;
use super::quarantines::Quarantines;
use crate::host::native::NativeHook;
use crate::host::reload::Source;
use crate::model::state::MemoryState;

/// The number of reloads in this process, of any hooks. A session compares it with the number that
/// it saw last. While the numbers are equal, a call has no other cost.
static RELOADS: AtomicU64 = AtomicU64::new(0);

/// Returns the number of reloads in this process.
#[inline]
pub(crate) fn generation() -> u64 {
    RELOADS.load(Ordering::Acquire)
}

/// Notifies sessions that their hooks may have changed.
pub(crate) fn reloaded() {
    RELOADS.fetch_add(1, Ordering::Release);
}

/// The hooks on which sessions are opened.
#[derive(Default)]
pub(crate) struct CurrentHooks {
    hook_set: Mutex<Arc<HookSet>>,
    /// The native hooks that were added to the loaded hooks.
    pub(crate) native: Vec<NativeHook>,
    /// The private and shared state of components. It outlives them.
    pub(crate) state: Arc<MemoryState>,
    /// The directory from which the hooks were loaded, if any.
    pub(crate) source: Option<Arc<Source>>,
    /// The quarantines that belong to `state`.
    pub(crate) quarantines: Arc<Quarantines>,
}

impl CurrentHooks {
    pub(crate) fn new(
        hook_set: HookSet,
        native: Vec<NativeHook>,
        state: Arc<MemoryState>,
        source: Option<Arc<Source>>,
        quarantines: Arc<Quarantines>,
    ) -> Arc<Self> {
        let current = Arc::new(Self {
            hook_set: Mutex::new(Arc::new(hook_set)),
            native,
            state,
            source,
            quarantines,
        });
        current.quarantines.follow(&current);
        if let Some(source) = &current.source {
            source.feeds(&current);
        }
        current
    }

    /// Returns the current hooks.
    pub(crate) fn hook_set(&self) -> Arc<HookSet> {
        self.hold().clone()
    }

    /// Returns whether `hook_set` is still current.
    pub(crate) fn is(&self, hook_set: &Arc<HookSet>) -> bool {
        Arc::ptr_eq(&self.hold(), hook_set)
    }

    fn hold(&self) -> MutexGuard<'_, Arc<HookSet>> {
        self.hook_set.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Replaces the current hooks. Sessions see the new ones after [`reloaded`] is called.
    pub(crate) fn put(&self, hook_set: HookSet) {
        let hook_set = Arc::new(hook_set);
        // Dropped after the lock is released, since a destructor may take the lock.
        let _before = std::mem::replace(&mut *self.hold(), hook_set);
    }
}
