//! The contract's types as JSON, under the names they have in WIT. What reads them is in the room `model`.

mod error;
pub(crate) mod name;
mod write;

use serde::Serialize;
use serde_json::Value;

pub use error::JsonError;

/// A value in the JSON form.
///
/// # Errors
///
/// A value that JSON cannot say, such as a number that is none.
pub fn to_json<T: Serialize + ?Sized>(value: &T) -> Result<Value, JsonError> {
    value.serialize(write::Writer)
}
