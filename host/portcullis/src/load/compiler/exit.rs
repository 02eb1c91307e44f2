//! What the host and its worker say to each other.
//!
//! On standard input: a line of JSON, then the component. The pipe stays open while the host wants the
//! result. On standard output: the compiled component. The exit code says how it ended, and standard
//! error has the text of an error.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// What to compile, and what it may take.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    /// Whether the engine counts fuel: all of its configuration that can differ.
    pub(super) fuel: bool,
    /// The most bytes of memory.
    pub(super) memory_bytes: u64,
    /// The most processor time, in milliseconds.
    pub(super) time_ms: u64,
    /// How many bytes the component has.
    pub(super) length: u64,
    /// The directory of the cache whose functions are used and added to, if any.
    #[serde(default)]
    pub(super) functions: Option<PathBuf>,
}

/// The most bytes of the line.
pub(super) const LONGEST_REQUEST: u64 = 32 << 10;

/// How a worker ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Exit {
    /// The compiled component is written.
    Compiled = 0,
    /// The component is not valid.
    Invalid = 80,
    /// More memory was needed than is allowed.
    OverMemory = 81,
    /// More processor time was needed than is allowed.
    OverTime = 82,
    /// The host does not want it any more.
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
