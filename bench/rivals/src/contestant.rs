//! A way to run a guard.

use crate::call::{ToolCall, Verdict};

/// A way to run a guard, ready to be called: whatever it loads, compiles or starts beforehand is done.
pub trait Contestant {
    /// Decides one call.
    fn decide(&mut self, call: &ToolCall) -> anyhow::Result<Verdict>;
}

/// What a contestant is.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// A stable name for programs.
    pub key: &'static str,
    /// The name in the table.
    pub name: &'static str,
    /// What stops a guard that does not end or takes too much memory.
    pub limits: &'static str,
    /// How it is given the call, and how it answers.
    pub passing: &'static str,
}
