//! `workspace-closed`: a workspace was closed.

use super::imports::facts;
use super::telling::telling;
use super::{FailureRule, Order};
use crate::contract::Workspace;

telling! {
    /// The point `workspace-closed`.
    WorkspaceClosed of Workspace: "path, reason", Order::Forward, FailureRule::NeverFatal
}

facts! {
    WorkspaceClosed: workspace_closed_facts, Workspace {
        name: String,
        path: String,
        reason: String,
    }
}
