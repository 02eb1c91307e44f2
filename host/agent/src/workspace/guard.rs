//! A guard of a workspace in use.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// An open workspace. While this or a clone of it exists, the workspace is in use: it is neither
/// closed nor evicted. Cheap to clone.
#[derive(Clone)]
pub struct Workspace {
    held: Arc<Held>,
}

struct Held {
    name: String,
    path: PathBuf,
    used: Used,
    /// Keeps the directory locked even if all other values of the host are dropped.
    _keeper: Arc<dyn Send + Sync>,
}

impl Workspace {
    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.held.name
    }

    /// Returns the path of the directory.
    pub fn path(&self) -> &Path {
        &self.held.path
    }
}

impl fmt::Debug for Workspace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workspace")
            .field("name", &self.held.name)
            .field("path", &self.held.path)
            .finish_non_exhaustive()
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.used.now();
    }
}

/// The users of a workspace.
#[derive(Default)]
pub(super) struct Users {
    held: Weak<Held>,
    used: Used,
}

impl Users {
    /// Adds a user.
    pub(super) fn admit(
        &mut self,
        name: &str,
        path: &Path,
        keeper: Arc<dyn Send + Sync>,
    ) -> Workspace {
        self.used.now();
        if let Some(held) = self.held.upgrade() {
            return Workspace { held };
        }
        let held = Arc::new(Held {
            name: name.to_owned(),
            path: path.to_owned(),
            used: self.used.clone(),
            _keeper: keeper,
        });
        self.held = Arc::downgrade(&held);
        Workspace { held }
    }

    /// Returns whether the workspace is in use.
    pub(super) fn any(&self) -> bool {
        self.held.strong_count() > 0
    }

    /// Returns the time at which the last user was added or dropped.
    pub(super) fn last(&self) -> Instant {
        self.used.last()
    }

    /// Returns whether the workspace has been unused for at least this time.
    pub(super) fn idle_for(&self, time: Duration) -> bool {
        !self.any() && self.last().elapsed() >= time
    }
}

#[derive(Clone)]
struct Used(Arc<Mutex<Instant>>);

impl Default for Used {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Instant::now())))
    }
}

impl Used {
    fn now(&self) {
        *self.0.lock() = Instant::now();
    }

    fn last(&self) -> Instant {
        *self.0.lock()
    }
}
