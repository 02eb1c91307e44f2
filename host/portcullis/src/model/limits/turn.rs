//! The common limits of all hooks in a turn.

use std::time::Duration;

/// The common limits of all components in one turn of a session. Components that decide have one
/// budget, and those that observe have another of the same size. Detached runs do not count, and
/// nothing counts outside of turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct TurnLimits {
    /// The total time. Default 10 s: the longest time that a user waits for hooks in one turn, and
    /// a hundred times the usual time of an agent's hooks.
    pub hooks: Duration,
    /// Fuel. Default 1,000,000,000: twenty calls that use all of their fuel.
    pub fuel: u64,
}

impl Default for TurnLimits {
    fn default() -> Self {
        Self {
            hooks: Duration::from_secs(10),
            fuel: 1_000_000_000,
        }
    }
}
