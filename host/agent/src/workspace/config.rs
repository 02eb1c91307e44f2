//! The configuration of workspaces.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// The configuration of [`Workspaces`](crate::Workspaces).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkspaceConfig {
    /// The directory of the workspaces, in which each has a directory of its name. Names that start
    /// with a dot are reserved for the host.
    pub root: PathBuf,
    /// The most workspaces that are open at a time. Default: 8.
    pub max_open: NonZeroUsize,
    /// How long a workspace must be free before
    /// [`Workspaces::evict_idle`](crate::Workspaces::evict_idle) evicts it. Default: 30 minutes.
    pub idle: Duration,
    /// The directory of snapshots. Without it there are none, and **evicted workspaces are lost**.
    /// Default: none.
    pub snapshots: Option<PathBuf>,
    /// The most bytes of files in a snapshot. A workspace with more cannot be snapshotted, and not
    /// evicted if snapshots are configured. Default: 1 GiB.
    pub max_snapshot_bytes: u64,
    /// The most snapshots of one workspace; the oldest are removed first. Default: 8.
    pub max_snapshots: NonZeroUsize,
    /// How many times a failed eviction is retried before opening a workspace fails. Default: 3.
    pub eviction_retries: u32,
    /// The wait before each retry. Default: 100 ms.
    pub eviction_delay: Duration,
}

impl WorkspaceConfig {
    /// The defaults, for workspaces in `root`.
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
