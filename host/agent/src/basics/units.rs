//! Times and counts in the integer types of the contract and of events. A value that does not fit
//! becomes the largest value that does.

use std::time::Duration;

pub(crate) use portcullis::time::now_ms;

/// Returns the whole seconds since a time, for messages.
pub(crate) fn seconds_since(ms: u64) -> u64 {
    now_ms().saturating_sub(ms) / 1_000
}

/// Converts a duration to milliseconds.
pub(crate) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Converts a duration to milliseconds, for fields of 32 bits.
pub(crate) fn millis_u32(time: Duration) -> u32 {
    u32::try_from(time.as_millis()).unwrap_or(u32::MAX)
}

/// Converts a duration to microseconds.
pub(crate) fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// Converts a count, for fields of 32 bits.
pub(crate) fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
