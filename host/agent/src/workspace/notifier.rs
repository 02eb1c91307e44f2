//! Calling the observers, on the thread that does the work.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use tokio::runtime::Handle;

use super::owner::Owners;
use super::{WorkspaceEvent, WorkspaceEventKind, WorkspaceObserver};

pub(super) struct Notifier {
    pub observers: Vec<Arc<dyn WorkspaceObserver>>,
    pub runtime: Handle,
    pub owners: Owners,
}

impl Notifier {
    /// Calls every observer and waits for it. A panic in an observer is logged and ignored.
    pub(super) fn notify(
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
            owner: self.owners.get(name),
        };
        if event.kind == WorkspaceEventKind::Evicted {
            self.owners.set(name, None);
        }
        for observer in &self.observers {
            let call = || self.runtime.block_on(observer.happened(&event));
            if catch_unwind(AssertUnwindSafe(call)).is_err() {
                tracing::error!(workspace = name, "an observer of workspaces panicked");
            }
        }
    }
}
