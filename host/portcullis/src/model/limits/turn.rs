//! How much all hooks together may use in a turn.

use std::time::Duration;

/// What all components together may use in one turn of a session: those that decide, and those that
/// observe as much again. Detached runs do not count, and nothing counts outside of turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct TurnLimits {
    /// Time in all. Default 10 s: what a user waits for hooks in one turn, and a hundred times what
    /// an agent's hooks take.
    pub hooks: Duration,
    /// Fuel. Default 1,000,000,000: twenty calls that use all of theirs.
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
