//! Events of workspaces, and their observers.

use std::path::PathBuf;

use futures::future::BoxFuture;
use schemars::JsonSchema;
use serde::Serialize;

use super::WorkspaceOwner;

/// Something that happened to a workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct WorkspaceEvent {
    /// The kind of event.
    #[serde(flatten)]
    pub kind: WorkspaceEventKind,
    /// The workspace.
    pub name: String,
    /// Its directory.
    pub path: PathBuf,
    /// Why it happened.
    pub reason: String,
    /// Whose it is, if a session of this process opened it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<WorkspaceOwner>,
}

/// The kind of a workspace event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum WorkspaceEventKind {
    /// It was opened. Opening an open workspace again is not an event.
    Opened,
    /// It was closed; its directory is kept.
    Closed,
    /// Its directory was removed, to make room or because it was idle.
    Evicted,
    /// Room was needed, and no workspace could be evicted. The named one, the least recently used,
    /// is tried again first.
    EvictionRetried {
        /// The retry, counted from 1.
        attempt: u32,
    },
    /// A snapshot of it was taken.
    Snapshotted {
        /// The snapshot's directory.
        snapshot: PathBuf,
        /// The bytes of the files in it.
        bytes: u64,
    },
}

/// An observer of workspaces. It gets each event exactly once, in order.
pub trait WorkspaceObserver: Send + Sync {
    /// Called after an event, and before anything else happens to any workspace of this host. The
    /// observer must not open, close, snapshot or evict workspaces, or it deadlocks.
    fn happened<'a>(&'a self, event: &'a WorkspaceEvent) -> BoxFuture<'a, ()>;
}
