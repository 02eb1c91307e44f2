//! Changes of the agent's state, for hooks of the role `transform`. The operator grants each key.
//!
//! ```no_run
//! # use portcullis_sdk::prelude::*;
//! # fn main() -> HookResult<()> {
//! agent_state_edit::set("risk", "high")?;
//! # Ok(())
//! # }
//! ```
//!
//! The changes of a call take effect together, once its answer is accepted. Later calls read them with
//! [`agent_state`](crate::agent_state); later hooks in the same chain see the state as it was.

use std::fmt::{self, Display, Formatter};

use serde::Serialize;

use crate::bindings::portcullis::hooks::agent_state_edit::EditError;
use crate::imports::agent_state_edit;

/// Sets the value at a key. A value that is `null` in JSON removes the key.
///
/// # Errors
///
/// The key is not granted or cannot be changed at this point, there is no room, or `value` cannot be written as JSON.
pub fn set<T: Serialize + ?Sized>(key: &str, value: &T) -> Result<(), Error> {
    let value = serde_json::to_string(value).map_err(|fault| Error::Invalid(fault.to_string()))?;
    Ok(agent_state_edit::set(key, &value)?)
}

/// Removes a key. It is not an error if there is no such key.
///
/// # Errors
///
/// The key is not granted, or cannot be changed at this point.
pub fn remove(key: &str) -> Result<(), Error> {
    Ok(agent_state_edit::remove(key)?)
}

/// The reason why a key was not changed.
#[derive(Clone, Debug, PartialEq)]
pub enum Error {
    /// The operator does not let the hook change this key, or nothing can be changed at this point; the text says which.
    Denied(String),
    /// The keys that the hook may change would be too many or too large; the text says which.
    Full(String),
    /// The key is empty or has control characters, or the value cannot be written as JSON; the text says which.
    Invalid(String),
}

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Denied(why) => write!(f, "the change of the agent's state is denied: {why}"),
            Self::Full(what) => write!(f, "the agent's state is full: {what}"),
            Self::Invalid(what) => write!(f, "the change of the agent's state is invalid: {what}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<EditError> for Error {
    fn from(error: EditError) -> Self {
        match error {
            EditError::Denied(why) => Self::Denied(why),
            EditError::Full(what) => Self::Full(what),
            EditError::Invalid(what) => Self::Invalid(what),
        }
    }
}
