//! The current hooks: those that sessions are opened on.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::HookSet;
use super::quarantines::Quarantines;
use crate::host::native::NativeHook;
use crate::host::reload::Source;
use crate::model::state::MemoryState;

/// How often hooks of this process were loaded again, whichever they were. A session compares it
/// with what it last saw, which is all that a call pays while nothing changes.
static RELOADS: AtomicU64 = AtomicU64::new(0);

/// How often hooks of this process were loaded again.
#[inline]
pub(crate) fn generation() -> u64 {
    RELOADS.load(Ordering::Acquire)
}

/// Tells sessions that there may be other hooks for them.
pub(crate) fn reloaded() {
    RELOADS.fetch_add(1, Ordering::Release);
}

/// The hooks that sessions are opened on.
#[derive(Default)]
pub(crate) struct CurrentHooks {
    hook_set: Mutex<Arc<HookSet>>,
    /// What was put in beside what was loaded.
    pub(crate) native: Vec<NativeHook>,
    /// What components remember and share: it outlives them.
    pub(crate) state: Arc<MemoryState>,
    /// Where they were loaded from, if they were.
    pub(crate) source: Option<Arc<Source>>,
    /// Those of the same state.
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

    /// The current hooks.
    pub(crate) fn hook_set(&self) -> Arc<HookSet> {
        self.hold().clone()
    }

    /// Whether these are still the current hooks.
    pub(crate) fn is(&self, hook_set: &Arc<HookSet>) -> bool {
        Arc::ptr_eq(&self.hold(), hook_set)
    }

    fn hold(&self) -> MutexGuard<'_, Arc<HookSet>> {
        self.hook_set.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Other hooks from now on. Sessions see them once [`reloaded`] was called.
    pub(crate) fn put(&self, hook_set: HookSet) {
        let hook_set = Arc::new(hook_set);
        // Dropped without the lock, which what is dropped may want.
        let _before = std::mem::replace(&mut *self.hold(), hook_set);
    }
}
