//! Memory that hooks share, across sessions. The operator grants each namespace by name.
//!
//! ```no_run
//! # use portcullis_sdk::prelude::*;
//! # fn main() -> HookResult<()> {
//! let spent = shared::namespace("costs").increment("total", 1200)?;
//! # Ok(())
//! # }
//! ```

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::imports::shared_state;
use crate::state::{Error, decode, encode};

/// Returns a namespace. Its methods fail if it is not granted.
pub const fn namespace(name: &str) -> Namespace<'_> {
    Namespace { name }
}

/// A namespace of shared state. Its methods are the functions of [`state`](crate::state), and each may
/// also fail with [`Error::Denied`].
#[derive(Clone, Copy, Debug)]
pub struct Namespace<'a> {
    name: &'a str,
}

impl Namespace<'_> {
    /// Returns the value at `key`, if there is one.
    ///
    /// # Errors
    ///
    /// [`Error::Denied`], or [`Error::Json`] if the value does not fit `T`.
    pub fn get<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, Error> {
        let value = shared_state::get(self.name, key)?;
        value.map(|value| decode(key, &value)).transpose()
    }

    /// Sets the value at `key`, once the call has succeeded.
    ///
    /// # Errors
    ///
    /// [`Error::Denied`], [`Error::Full`], or [`Error::Json`] if `value` cannot be written as
    /// JSON.
    pub fn set<T: Serialize + ?Sized>(&self, key: &str, value: &T) -> Result<(), Error> {
        Ok(shared_state::set(self.name, key, &encode(key, value)?)?)
    }

    /// Deletes `key`, once the call has succeeded. It is not an error if there is no such key.
    ///
    /// # Errors
    ///
    /// [`Error::Denied`].
    pub fn delete(&self, key: &str) -> Result<(), Error> {
        Ok(shared_state::delete(self.name, key)?)
    }

    /// Returns the keys, in order.
    ///
    /// # Errors
    ///
    /// [`Error::Denied`].
    pub fn keys(&self) -> Result<Vec<String>, Error> {
        Ok(shared_state::keys(self.name)?)
    }

    /// Adds `delta` to the whole number at `key` (0 if there is none) and returns the sum,
    /// atomically.
    ///
    /// # Errors
    ///
    /// [`Error::Denied`], [`Error::NotANumber`] or [`Error::Full`].
    pub fn increment(&self, key: &str, delta: i64) -> Result<i64, Error> {
        Ok(shared_state::increment(self.name, key, delta)?)
    }

    /// Sets the value at `key` to `new` if it is `expected`, atomically; `None` means no value. Returns
    /// whether the value was set. The JSON texts are compared.
    ///
    /// # Errors
    ///
    /// As for [`set`](Self::set).
    pub fn compare_and_swap<T: Serialize + ?Sized>(
        &self,
        key: &str,
        expected: Option<&T>,
        new: Option<&T>,
    ) -> Result<bool, Error> {
        let expected = expected.map(|value| encode(key, value)).transpose()?;
        let new = new.map(|value| encode(key, value)).transpose()?;
        Ok(shared_state::swap(
            self.name,
            key,
            expected.as_deref(),
            new.as_deref(),
        )?)
    }
}
