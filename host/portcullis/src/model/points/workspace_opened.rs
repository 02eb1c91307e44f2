//! `workspace-opened`: a workspace was opened.

use super::imports::facts;
use super::telling::telling;
use super::{FailureRule, Order};
use crate::contract::Workspace;

telling! {
    /// The point `workspace-opened`.
    WorkspaceOpened of Workspace: "path, reason", Order::Forward, FailureRule::NeverFatal
}

facts! {
    WorkspaceOpened: workspace_opened_facts, Workspace {
        name: String,
        path: String,
        reason: String,
    }
}
