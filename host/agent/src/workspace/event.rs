//! What happens to workspaces, told to those who observe it.

use std::path::PathBuf;

use async_trait::async_trait;
use serde::Serialize;

/// Something that happened to a workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct WorkspaceEvent {
    /// What happened.
    #[serde(flatten)]
    pub kind: WorkspaceEventKind,
    /// The workspace.
    pub name: String,
    /// Its directory.
    pub path: PathBuf,
    /// Why it happened.
    pub reason: String,
}

/// What happened to a workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum WorkspaceEventKind {
    /// It was opened. Opening one that is open is no event.
    Opened,
    /// It was closed; its directory is kept.
    Closed,
    /// Its directory was removed, to make room or because nobody used it.
    Evicted,
    /// Room was needed and none could be evicted; the least recently used one, which is named, is
    /// tried again first.
    EvictionRetried {
        /// The retry, counted from 1.
        attempt: u32,
    },
    /// A copy of it was kept.
    Snapshotted {
        /// The copy's directory.
        snapshot: PathBuf,
        /// The bytes of the files in it.
        bytes: u64,
    },
}

/// Someone who is told what happens to workspaces: each event exactly once, in order.
#[async_trait]
pub trait WorkspaceObserver: Send + Sync {
    /// Told after it happened, and before anything else happens to any workspace of this host. So
    /// the observer must not open, close, snapshot or evict workspaces itself: it would wait for
    /// itself.
    async fn happened(&self, event: &WorkspaceEvent);
}
