//! `workspace-eviction-retried`: a workspace could not be removed, and the removal is tried again.

use super::imports::facts;
use super::telling::telling;
use super::{FailureRule, Order};
use crate::contract::Workspace;

pub use crate::contract::bindings::portcullis::hooks::workspace_eviction_retried_facts::EvictionRetry;

telling! {
    /// The point `workspace-eviction-retried`.
    WorkspaceEvictionRetried of EvictionRetry: "path, reason", Order::Forward, FailureRule::NeverFatal,
        attempt: |retry| retry.attempt
}

facts! {
    WorkspaceEvictionRetried: workspace_eviction_retried_facts, EvictionRetry {
        workspace: Workspace,
        attempt: u32,
    }
}
