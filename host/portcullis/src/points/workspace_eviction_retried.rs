//! `workspace-eviction-retried`: a workspace could not be taken away, and that is tried again.

use super::telling::telling;
use super::{FailureRule, Order};

pub use crate::bindings::exports::portcullis::hooks::workspace_eviction_retried::{
    EvictionRetry, Outcome,
};

telling! {
    /// The point `workspace-eviction-retried`.
    WorkspaceEvictionRetried of EvictionRetry: "path, reason", Order::Forward, FailureRule::NeverFatal
}
