//! Writes the contract's types as JSON, under their WIT names. The room `model` contains the
//! readers.

mod compound;
mod error;
mod excerpt;
pub(crate) mod name;
mod write;

use serde::Serialize;
use serde_json::Value;

pub use error::JsonError;
pub(crate) use excerpt::{Excerpt, size};

/// Returns a value in the JSON form.
///
/// # Errors
///
/// A value that JSON has no form for, such as a number that is not finite.
pub fn to_json<T: Serialize + ?Sized>(value: &T) -> Result<Value, JsonError> {
    value.serialize(write::Writer(None))
}
