//! Tells observers what happens, from the thread on which it happens.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use tokio::runtime::Handle;

use super::{WorkspaceEvent, WorkspaceEventKind, WorkspaceObserver};

pub(super) struct Teller {
    pub observers: Vec<Arc<dyn WorkspaceObserver>>,
    pub runtime: Handle,
}

impl Teller {
    /// Returns once every observer has been told. A panic of one is none of the workspace's.
    pub(super) fn tell(
        &self,
        kind: WorkspaceEventKind,
        name: &str,
        path: &Path,
        reason: impl Into<String>,
    ) {
        let event = WorkspaceEvent {
            kind,
            name: name.to_owned(),
            path: path.to_owned(),
            reason: reason.into(),
        };
        for observer in &self.observers {
            let told = || self.runtime.block_on(observer.happened(&event));
            if catch_unwind(AssertUnwindSafe(told)).is_err() {
                tracing::error!(workspace = name, "an observer of workspaces panicked");
            }
        }
    }
}
