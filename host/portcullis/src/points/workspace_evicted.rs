//! `workspace-evicted`: a workspace was taken away to make room.

use super::telling::telling;
use super::{FailureRule, Order};
use crate::contract::Workspace;

pub use crate::bindings::exports::portcullis::hooks::workspace_evicted::Outcome;

telling! {
    /// The point `workspace-evicted`.
    WorkspaceEvicted of Workspace: "path, reason", Order::Forward, FailureRule::NeverFatal
}
