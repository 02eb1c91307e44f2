//! `[workspaces]`: directories that sessions work in.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::time::Duration;

use portcullis_agent::{WorkspaceConfig, Workspaces};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::faults::Faults;

/// The default name of a session's workspace.
const SESSION: &str = "main";

/// Directories that sessions work in, in place of `working-dir`. Without this table there are none.
///
/// When the agent starts, workspaces that no session has used for a while are evicted: a snapshot is
/// taken, if there is a directory for snapshots, and the workspace is removed. A session restores its
/// workspace from the newest snapshot. Without such a directory nothing is evicted unless `idle-seconds`
/// is set.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub struct WorkspacesTable {
    /// The directory of the workspaces. Required. Each has a directory of its name in it.
    pub root: Option<PathBuf>,
    /// The name of the session's workspace.
    #[schemars(extend("default" = SESSION))]
    pub session: Option<String>,
    /// The most workspaces that are open at a time.
    #[schemars(extend("default" = WorkspaceConfig::new("").max_open.get()))]
    pub max_open: Option<NonZeroUsize>,
    /// Seconds after which an unused workspace is evicted; 0 evicts all that are not open.
    #[schemars(extend("x-if-left-out" = "1,800 with `snapshots`, else never"))]
    pub idle_seconds: Option<u64>,
    /// The directory of snapshots. Without it there are none, and evicted workspaces are lost.
    pub snapshots: Option<PathBuf>,
    /// The most bytes of files in a snapshot. A workspace with more is not evicted.
    #[schemars(extend("default" = WorkspaceConfig::new("").max_snapshot_bytes))]
    pub max_snapshot_bytes: Option<NonZeroU64>,
    /// The most snapshots of one workspace; the oldest are removed first.
    #[schemars(extend("default" = WorkspaceConfig::new("").max_snapshots.get()))]
    pub max_snapshots: Option<NonZeroUsize>,
    /// How many times a failed eviction is retried.
    #[schemars(extend("default" = WorkspaceConfig::new("").eviction_retries))]
    pub eviction_retries: Option<u32>,
    /// Milliseconds before each retry.
    #[schemars(extend("default" = WorkspaceConfig::new("").eviction_delay.as_millis() as u64))]
    pub eviction_delay_ms: Option<u64>,
}

impl WorkspacesTable {
    pub(crate) fn resolve(&mut self, dir: &Path) {
        for path in [&mut self.root, &mut self.snapshots].into_iter().flatten() {
            *path = dir.join(&*path);
        }
    }

    pub(crate) fn faults(&self, faults: &mut Faults<'_>) {
        let why = "name the directory of the workspaces";
        faults.required(&["workspaces"], "root", self.root.is_some(), why);
        if let Err(error) = Workspaces::check_name(&self.session()) {
            faults.add(&["workspaces", "session"], error.to_string());
        }
    }

    pub(crate) fn session(&self) -> String {
        self.session.clone().unwrap_or_else(|| SESSION.into())
    }

    /// Returns whether workspaces are evicted. A workspace without a snapshot is lost, so the
    /// operator must enable eviction.
    pub(crate) fn evicts(&self) -> bool {
        self.snapshots.is_some() || self.idle_seconds.is_some()
    }

    pub(crate) fn workspaces(&self) -> Option<Workspaces> {
        let config = WorkspaceConfig::new(self.root.as_ref()?);
        let seconds = self.idle_seconds.map(Duration::from_secs);
        let millis = self.eviction_delay_ms.map(Duration::from_millis);
        Some(Workspaces::new(WorkspaceConfig {
            max_open: self.max_open.unwrap_or(config.max_open),
            idle: seconds.unwrap_or(config.idle),
            snapshots: self.snapshots.clone(),
            max_snapshot_bytes: (self.max_snapshot_bytes)
                .map_or(config.max_snapshot_bytes, NonZeroU64::get),
            max_snapshots: self.max_snapshots.unwrap_or(config.max_snapshots),
            eviction_retries: self.eviction_retries.unwrap_or(config.eviction_retries),
            eviction_delay: millis.unwrap_or(config.eviction_delay),
            ..config
        }))
    }
}
