//! `workspace-snapshotted`: a copy of a workspace was kept.

use super::telling::telling;
use super::{FailureRule, Order};

pub use crate::bindings::exports::portcullis::hooks::workspace_snapshotted::{Outcome, Snapshot};

telling! {
    /// The point `workspace-snapshotted`.
    WorkspaceSnapshotted of Snapshot: "path, reason", Order::Forward, FailureRule::NeverFatal
}
