//! How much a hook may use.

mod http;

use std::time::Duration;

use serde::Serialize;

pub use http::HttpLimits;

/// What one call of one hook, and its instance, may use. Every limit has a default; the
/// operator's `hooks.toml` overrides it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Limits {
    /// Fuel, roughly one unit for each wasm instruction; `None` counts none. Default 50 million,
    /// about 5 ms of computing.
    pub fuel: Option<u64>,
    /// Computing time. Default 100 ms.
    pub deadline: Duration,
    /// Time in all, waiting for the host included. Default 1 s.
    pub wall: Duration,
    /// Bytes of memory, summed over all memories of the instance. Default 64 MiB.
    pub memory_bytes: usize,
    /// Calls of imports, those of its start included where it is started for the call. Default
    /// 100,000: ten times what it takes to read a conversation of 10,000 messages one by one, a tenth
    /// of what the fuel would pay for.
    pub host_calls: u64,
    /// Table elements, summed over all tables of the instance. Default 100,000: language runtimes
    /// keep tens of thousands of functions in theirs.
    pub table_elements: usize,
    /// Core instances, memories and tables, each. Default 64: componentised runtimes need about ten.
    pub instances: usize,
    /// Live resource handles. Default 1,000.
    pub handles: usize,
    /// Bytes that may cross from the hook to the host at once, as an answer or in one host call.
    /// Default 4 MiB.
    pub output_bytes: usize,
    /// Bytes of log text in one call; what is more is cut and marked. Default 16 KiB.
    pub log_bytes: usize,
    /// Log lines in one call; what is more is dropped, which is said once. Default 256: empty lines
    /// would otherwise fill a screen twelve times before they fill `log_bytes`.
    pub log_lines: usize,
    /// Bytes of events in one call; what is more is left out, which the log says once. Default
    /// 64 KiB.
    pub event_bytes: usize,
    /// Contributions in one answer; a bundle counts as its tools. Default 256.
    pub contributions: usize,
    /// Bytes of keys and values in each namespace of state. Default 1 MiB.
    pub state_bytes: usize,
    /// Keys in each namespace of state. Default 1,000.
    pub state_keys: usize,
    /// Its requests.
    pub http: HttpLimits,
}

/// What all components together may use in one turn of a session: those that decide, and those that
/// observe as much again. Detached runs do not count, and nothing counts outside of turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
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

impl Default for Limits {
    fn default() -> Self {
        Self {
            fuel: Some(50_000_000),
            deadline: Duration::from_millis(100),
            wall: Duration::from_secs(1),
            memory_bytes: 64 << 20,
            host_calls: 100_000,
            table_elements: 100_000,
            instances: 64,
            handles: 1_000,
            output_bytes: 4 << 20,
            log_bytes: 16 << 10,
            log_lines: 256,
            event_bytes: 64 << 10,
            contributions: 256,
            state_bytes: 1 << 20,
            state_keys: 1_000,
            http: HttpLimits::default(),
        }
    }
}
