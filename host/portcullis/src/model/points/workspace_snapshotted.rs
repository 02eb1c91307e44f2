//! `workspace-snapshotted`: a copy of a workspace was kept.

use super::imports::facts;
use super::telling::telling;
use super::{FailureRule, Order};
use crate::contract::Workspace;

pub use crate::contract::bindings::portcullis::hooks::workspace_snapshotted_facts::Snapshot;

telling! {
    /// The point `workspace-snapshotted`.
    WorkspaceSnapshotted of Snapshot: "path, reason", Order::Forward, FailureRule::NeverFatal
}

facts! {
    WorkspaceSnapshotted: workspace_snapshotted_facts, Snapshot {
        workspace: Workspace,
        path: String,
        bytes: u64,
    }
}
