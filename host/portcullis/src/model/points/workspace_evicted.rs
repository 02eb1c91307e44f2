//! `workspace-evicted`: a workspace was removed to make room.

use super::imports::facts;
use super::telling::telling;
use super::{FailureRule, Order};
use crate::contract::Workspace;

telling! {
    /// The point `workspace-evicted`.
    WorkspaceEvicted of Workspace: "path, reason", Order::Forward, FailureRule::NeverFatal
}

facts! {
    WorkspaceEvicted: workspace_evicted_facts, Workspace {
        name: String,
        path: String,
        reason: String,
    }
}
