//! The hook's own memory, kept for the length of the session and readable by no other hook.
//!
//! Values are kept as JSON, so a whole number is its decimal digits and [`increment`] works on
//! values that [`set`] wrote. The changes of a call that fails are undone.
//!
//! ```
//! # use portcullis_sdk::prelude::*;
//! # fn main() -> HookResult<()> {
//! let calls = state::increment("calls", 1)?;
//! let first: Option<String> = state::get("first-tool")?;
//! state::set("first-tool", &"shell")?;
//! # Ok(())
//! # }
//! ```

mod error;
mod json;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use error::Error;

use crate::imports::state;

pub(crate) use json::{decode, encode};

/// Returns the value at `key`, if there is one.
///
/// # Errors
///
/// [`Error::Json`] if the value does not fit `T`.
pub fn get<T: DeserializeOwned>(key: &str) -> Result<Option<T>, Error> {
    state::get(key).map(|value| decode(key, &value)).transpose()
}

/// Sets the value at `key`, once the call has succeeded.
///
/// # Errors
///
/// [`Error::Full`], or [`Error::Json`] if `value` cannot be written as JSON.
pub fn set<T: Serialize + ?Sized>(key: &str, value: &T) -> Result<(), Error> {
    Ok(state::set(key, &encode(key, value)?)?)
}

/// Deletes `key`, once the call has succeeded. It is not an error if there is no such key.
pub fn delete(key: &str) {
    state::delete(key);
}

/// Returns the keys, in order.
pub fn keys() -> Vec<String> {
    state::keys()
}

/// Adds `delta` to the whole number at `key` (0 if there is none) and returns the sum, atomically.
///
/// # Errors
///
/// [`Error::NotANumber`] or [`Error::Full`].
pub fn increment(key: &str, delta: i64) -> Result<i64, Error> {
    Ok(state::increment(key, delta)?)
}

/// Sets the value at `key` to `new` if it is `expected`, atomically; `None` means no value. Returns
/// whether the value was set.
///
/// The JSON texts are compared, so `T` must always be written the same way: no `HashMap`.
///
/// # Errors
///
/// As for [`set`].
pub fn compare_and_swap<T: Serialize + ?Sized>(
    key: &str,
    expected: Option<&T>,
    new: Option<&T>,
) -> Result<bool, Error> {
    let expected = expected.map(|value| encode(key, value)).transpose()?;
    let new = new.map(|value| encode(key, value)).transpose()?;
    Ok(state::swap(key, expected.as_deref(), new.as_deref())?)
}
