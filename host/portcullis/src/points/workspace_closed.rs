//! `workspace-closed`: a workspace was closed.

use super::telling::telling;
use super::{FailureRule, Order};
use crate::contract::Workspace;

pub use crate::bindings::exports::portcullis::hooks::workspace_closed::Outcome;

telling! {
    /// The point `workspace-closed`.
    WorkspaceClosed of Workspace: "path, reason", Order::Forward, FailureRule::NeverFatal
}
