//! The contract's types as JSON, under the names they have in WIT. What reads them is in the room `model`.

mod compound;
mod error;
mod excerpt;
pub(crate) mod name;
mod write;

use serde::Serialize;
use serde_json::Value;

pub use error::JsonError;
pub(crate) use excerpt::{Excerpt, size};

/// A value in the JSON form.
///
/// # Errors
///
/// A value that JSON has no form for, such as a number that is not finite.
pub fn to_json<T: Serialize + ?Sized>(value: &T) -> Result<Value, JsonError> {
    value.serialize(write::Writer(None))
}
