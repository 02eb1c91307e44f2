//! Tests of every event and every failure.

mod eviction;
mod lifecycle;

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Mutex as Lock;
use std::time::Duration;

use futures::FutureExt as _;
use futures::future::BoxFuture;

use super::*;

/// Records events as `kind name: reason`.
#[derive(Default)]
struct Notes(Lock<Vec<String>>);

impl WorkspaceObserver for Notes {
    fn happened<'a>(&'a self, event: &'a WorkspaceEvent) -> BoxFuture<'a, ()> {
        let kind = match &event.kind {
            WorkspaceEventKind::Opened => "opened".to_owned(),
            WorkspaceEventKind::Closed => "closed".to_owned(),
            WorkspaceEventKind::Evicted => "evicted".to_owned(),
            WorkspaceEventKind::EvictionRetried { attempt } => format!("retry {attempt}"),
            WorkspaceEventKind::Snapshotted { bytes, .. } => format!("snapshot of {bytes}"),
        };
        assert!(event.path.ends_with(&event.name));
        let note = format!("{kind} {}: {}", event.name, event.reason);
        self.0.lock().unwrap().push(note);
        std::future::ready(()).boxed()
    }
}

impl Notes {
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

struct House {
    dir: tempfile::TempDir,
    workspaces: Workspaces,
    notes: Arc<Notes>,
}

/// Creates workspaces with room for two, snapshots of at most 100 bytes, and two quick retries.
fn house(change: impl FnOnce(&mut WorkspaceConfig)) -> House {
    let dir = tempfile::tempdir().unwrap();
    let mut config = WorkspaceConfig {
        max_open: NonZeroUsize::new(2).unwrap(),
        snapshots: Some(dir.path().join("snapshots")),
        max_snapshot_bytes: 100,
        eviction_retries: 2,
        eviction_delay: Duration::from_millis(10),
        ..WorkspaceConfig::new(dir.path().join("root"))
    };
    change(&mut config);
    let notes = Arc::new(Notes::default());
    House {
        dir,
        workspaces: Workspaces::new(config).observed_by(notes.clone()),
        notes,
    }
}

impl House {
    /// Opens a workspace, writes a file into it and stops using it.
    async fn visit(&self, name: &str, text: &str) {
        let workspace = self.workspaces.open(name).await.unwrap();
        fs::write(workspace.path().join("file"), text).unwrap();
    }

    fn root(&self, name: &str) -> std::path::PathBuf {
        self.dir.path().join("root").join(name)
    }
}

fn file(path: &Path) -> String {
    fs::read_to_string(path.join("file")).unwrap()
}
