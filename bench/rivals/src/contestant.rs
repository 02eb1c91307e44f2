//! A way to run a guard.

use crate::call::{ToolCall, Verdict};

/// A way to run a guard, ready to be called: all loading, compiling and starting is done.
pub trait Contestant {
    /// Decides one call.
    fn decide(&mut self, call: &ToolCall) -> anyhow::Result<Verdict>;
}

/// The description of a contestant.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// A stable name for programs.
    pub key: &'static str,
    /// The name in the table.
    pub name: &'static str,
    /// The limits on a guard that does not end or takes too much memory.
    pub limits: &'static str,
    /// The way that the guard gets the call and returns the verdict.
    pub passing: &'static str,
}
