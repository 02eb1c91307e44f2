//! Errors of state.

use std::fmt::{self, Display, Formatter};

use crate::bindings::portcullis::hooks::types::StateError;

/// The reason why [`state`](super) or [`shared`](crate::shared) state could not be read or written.
#[derive(Clone, Debug, PartialEq)]
pub enum Error {
    /// The operator does not let the hook use this namespace.
    Denied(String),
    /// The hook has used up its keys or bytes; the text says which.
    Full(String),
    /// The value at the key is not a whole number, or the sum leaves the range of `i64`.
    NotANumber,
    /// The value at the key does not fit the type it is read as, or cannot be written as JSON.
    Json {
        /// The key.
        key: String,
        /// The reason.
        reason: String,
    },
}

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Denied(reason) => write!(f, "state is denied: {reason}"),
            Self::Full(what) => write!(f, "state is full: {what}"),
            Self::NotANumber => f.write_str("state is not a whole number, or the sum is too large"),
            Self::Json { key, reason } => write!(f, "state at `{key}`: {reason}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<StateError> for Error {
    fn from(error: StateError) -> Self {
        match error {
            StateError::Denied(reason) => Self::Denied(reason),
            StateError::Full(what) => Self::Full(what),
            StateError::NotANumber => Self::NotANumber,
        }
    }
}
