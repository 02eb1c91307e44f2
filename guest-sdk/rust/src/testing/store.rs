//! The atomic operations on state.

use super::world::Store;
use crate::bindings::portcullis::hooks::types::StateError;

/// Adds to the whole number at a key.
pub(super) fn add(store: &mut Store, key: &str, delta: i64) -> Result<i64, StateError> {
    let number = match store.get(key) {
        Some(value) => str::from_utf8(value)
            .ok()
            .and_then(|digits| digits.parse().ok())
            .ok_or(StateError::NotANumber)?,
        None => 0_i64,
    };
    let sum = number.checked_add(delta).ok_or(StateError::NotANumber)?;
    store.insert(key.to_owned(), sum.to_string().into_bytes());
    Ok(sum)
}

/// Replaces the value at a key if it is the expected one.
pub(super) fn replace(
    store: &mut Store,
    key: &str,
    expected: Option<&[u8]>,
    new: Option<&[u8]>,
) -> bool {
    let matches = store.get(key).map(Vec::as_slice) == expected;
    match new {
        _ if !matches => {}
        Some(new) => drop(store.insert(key.to_owned(), new.to_vec())),
        None => drop(store.remove(key)),
    }
    matches
}
