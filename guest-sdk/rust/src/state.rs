//! The hook's own memory, kept for the length of the session and readable by no other hook.
//!
//! Values are kept as JSON, so a whole number is its decimal digits and [`increment`] works on
//! what [`set`] wrote. What a call that fails has changed is undone.
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

/// The value at `key`, or nothing.
///
/// # Errors
///
/// [`Error::Json`] if what is there does not fit `T`.
pub fn get<T: DeserializeOwned>(key: &str) -> Result<Option<T>, Error> {
    state::get(key).map(|value| decode(key, &value)).transpose()
}

/// Puts `value` at `key`, once the call has succeeded.
///
/// # Errors
///
/// [`Error::Full`], or [`Error::Json`] if `value` cannot be written as JSON.
pub fn set<T: Serialize + ?Sized>(key: &str, value: &T) -> Result<(), Error> {
    Ok(state::set(key, &encode(key, value)?)?)
}

/// Takes `key` away, once the call has succeeded; that there is none is no error.
pub fn delete(key: &str) {
    state::delete(key);
}

/// The keys, in order.
pub fn keys() -> Vec<String> {
    state::keys()
}

/// Adds `delta` to the whole number at `key` (0 if there is none) and gives the sum, atomically.
///
/// # Errors
///
/// [`Error::NotANumber`] or [`Error::Full`].
pub fn increment(key: &str, delta: i64) -> Result<i64, Error> {
    Ok(state::increment(key, delta)?)
}

/// Puts `new` at `key` (nothing: takes it away) if what is there is `expected` (nothing: no
/// value), atomically. Says whether it did.
///
/// What is compared is the JSON text, so `T` must always be written the same way: no `HashMap`.
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
