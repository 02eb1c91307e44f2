//! `workspace-opened`: a workspace was opened.

use super::telling::telling;
use super::{FailureRule, Order};
use crate::contract::Workspace;

pub use crate::bindings::exports::portcullis::hooks::workspace_opened::Outcome;

telling! {
    /// The point `workspace-opened`.
    WorkspaceOpened of Workspace: "path, reason", Order::Forward, FailureRule::NeverFatal
}
