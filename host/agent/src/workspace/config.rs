//! The configuration of workspaces.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// The configuration of [`Workspaces`](crate::Workspaces).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkspaceConfig {
    /// The directory of the workspaces. Each workspace is a subdirectory with its name. Names that
    /// start with a dot are reserved for the host.
    pub root: PathBuf,
    /// The maximum number of open workspaces. Default: 8.
    pub max_open: NonZeroUsize,
    /// The time for which a workspace must be free before
    /// [`Workspaces::evict_idle`](crate::Workspaces::evict_idle) evicts it. Default: 30 minutes.
    pub idle: Duration,
    /// The directory of snapshots. Without it there are no snapshots, and **evicted workspaces are
    /// lost**. Default: none.
    pub snapshots: Option<PathBuf>,
    /// The maximum number of bytes of files in a snapshot. A larger workspace cannot be
    /// snapshotted, and is not evicted if snapshots are configured. Default: 1 GiB.
    pub max_snapshot_bytes: u64,
    /// The maximum number of snapshots of one workspace; the oldest are removed first. Default: 8.
    pub max_snapshots: NonZeroUsize,
    /// The number of times that a failed eviction is retried before opening a workspace fails.
    /// Default: 3.
    pub eviction_retries: u32,
    /// The delay before each retry. Default: 100 ms.
    pub eviction_delay: Duration,
}

impl WorkspaceConfig {
    /// Creates the default configuration, for workspaces in `root`.
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
