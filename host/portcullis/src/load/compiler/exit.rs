//! The protocol between the host and its worker.
//!
//! Standard input contains a line of JSON, then the component. The pipe stays open while the host
//! waits for the result. Standard output contains the compiled component. The exit code reports the
//! outcome, and standard error contains the error text.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// A request: the configuration and limits of a compilation.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    /// Whether the engine counts fuel: the only part of its configuration that can differ.
    pub(super) fuel: bool,
    /// The most bytes of memory.
    pub(super) memory_bytes: u64,
    /// The most processor time, in milliseconds.
    pub(super) time_ms: u64,
    /// The size of the component in bytes.
    pub(super) length: u64,
    /// The directory of the cache whose functions are used and added to, if any.
    #[serde(default)]
    pub(super) functions: Option<PathBuf>,
}

/// The most bytes of the request line.
pub(super) const LONGEST_REQUEST: u64 = 32 << 10;

/// The exit code of a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Exit {
    /// The compiled component is written.
    Compiled = 0,
    /// The component is not valid.
    Invalid = 80,
    /// The compilation exceeded the memory limit.
    OverMemory = 81,
    /// The compilation exceeded the limit of processor time.
    OverTime = 82,
    /// The host no longer waits for the result.
    Cancelled = 83,
    /// The request cannot be read, or the result cannot be written.
    Unusable = 84,
}

impl Exit {
    const ALL: [Self; 6] = [
        Self::Compiled,
        Self::Invalid,
        Self::OverMemory,
        Self::OverTime,
        Self::Cancelled,
        Self::Unusable,
    ];

    pub(super) fn of_code(code: i32) -> Option<Self> {
        Self::ALL.into_iter().find(|exit| exit.code() == code)
    }

    pub(super) fn code(self) -> i32 {
        i32::from(self as u8)
    }
}
