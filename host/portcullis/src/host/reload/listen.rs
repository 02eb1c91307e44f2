//! The listeners that are notified of reloads.

use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// A registered listener. Listening ends when this is dropped.
#[must_use = "nothing is told any more once it is dropped"]
pub struct Listening(
    #[expect(dead_code, reason = "kept, so that it lives")] Arc<dyn Any + Send + Sync>,
);

impl std::fmt::Debug for Listening {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Listening")
    }
}

impl Listening {
    /// Creates a registration that receives nothing.
    pub(crate) fn to_nothing() -> Self {
        Self(Arc::new(()))
    }

    pub(super) fn of<L: Any + Send + Sync>(listener: Arc<L>) -> Self {
        Self(listener)
    }
}

/// Listeners of one kind.
pub(super) struct Listeners<L: ?Sized>(Mutex<Vec<Weak<L>>>);

impl<L: ?Sized> Default for Listeners<L> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<L: ?Sized> Listeners<L> {
    pub(super) fn add(&self, listener: Weak<L>) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(listener);
    }

    /// Returns the current listeners.
    pub(super) fn now(&self) -> Vec<Arc<L>> {
        let mut listeners = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        listeners.retain(|listener| listener.strong_count() > 0);
        listeners.iter().filter_map(Weak::upgrade).collect()
    }
}
