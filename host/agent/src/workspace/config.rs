//! How workspaces are kept.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// How [`Workspaces`](crate::Workspaces) are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkspaceConfig {
    /// Where they lie, one directory each, named like the workspace. Names that begin with a dot
    /// are the host's own.
    pub root: PathBuf,
    /// The most that are open at a time. Default: 8.
    pub max_open: NonZeroUsize,
    /// How long one must not have been in use for
    /// [`Workspaces::evict_idle`](crate::Workspaces::evict_idle) to evict it. Default: 30 minutes.
    pub idle: Duration,
    /// Where snapshots are kept. Without it there are none, and **what is evicted is gone**.
    /// Default: none.
    pub snapshots: Option<PathBuf>,
    /// The most bytes of files in a snapshot; a workspace that has more cannot be snapshotted, nor
    /// evicted where snapshots are kept. Default: 1 GiB.
    pub max_snapshot_bytes: u64,
    /// The most snapshots kept of one workspace; the oldest go first. Default: 8.
    pub max_snapshots: NonZeroUsize,
    /// How often an eviction that failed is tried again before opening a workspace fails.
    /// Default: 3.
    pub eviction_retries: u32,
    /// How long to wait before each of these. Default: 100 ms.
    pub eviction_delay: Duration,
}

impl WorkspaceConfig {
    /// The defaults, for workspaces that lie in `root`.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            max_open: const { NonZeroUsize::new(8).unwrap() },
            idle: Duration::from_secs(30 * 60),
            snapshots: None,
            max_snapshot_bytes: 1 << 30,
            max_snapshots: const { NonZeroUsize::new(8).unwrap() },
            eviction_retries: 3,
            eviction_delay: Duration::from_millis(100),
        }
    }
}
