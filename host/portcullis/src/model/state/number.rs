//! Decimal numbers in state, for additions by hooks.

use super::StateFault;

/// The most bytes of a number in text.
pub(super) const LONGEST_NUMBER: usize = 20;

/// Reads a value as a number; 0 if there is no value.
pub(super) fn number(value: Option<&[u8]>) -> Result<i64, StateFault> {
    let Some(bytes) = value else { return Ok(0) };
    std::str::from_utf8(bytes)
        .ok()
        .and_then(|text| text.parse().ok())
        .ok_or(StateFault::NotANumber)
}

/// Adds to a value that is a number.
pub(super) fn add(value: Option<&[u8]>, delta: i64) -> Result<i64, StateFault> {
    number(value)?
        .checked_add(delta)
        .ok_or(StateFault::NotANumber)
}

/// Writes a number as a value.
pub(super) fn text(number: i64) -> Vec<u8> {
    number.to_string().into_bytes()
}
