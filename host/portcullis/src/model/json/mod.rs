//! The contract's JSON form: its records as JSON, with their names in WIT.
//!
//! A record is an object (`call-id`, not `call_id`). A case without a payload is a string, and a case
//! with one is an object of one key. A tuple and a list are arrays. An option may be left out or be
//! `null`.
//!
//! ```
//! use portcullis::json::{from_json, to_json};
//! use portcullis::points::pre_tool_call::Outcome;
//! use serde_json::json;
//!
//! let refused = json!({"reject": {"code": "no", "reason": "not today", "details": null}});
//! let outcome: Outcome = from_json(refused.clone())?;
//! assert_eq!(to_json(&outcome)?, refused);
//! assert_eq!(to_json(&Outcome::Continue)?, json!("continue"));
//!
//! let wrong = from_json::<Outcome>(json!({"reject": {"cod": "no", "reason": ""}}));
//! assert_eq!(
//!     wrong.unwrap_err().to_string(),
//!     "at `/reject`: there is no such key here; did you mean `code`?"
//! );
//! # Ok::<(), portcullis::json::JsonError>(())
//! ```
//!
//! Only the names of a type's own fields and cases are converted. Text from a person or a model
//! stays as it is, even if it resembles a name.

mod case;
mod number;
mod read;
mod record;
mod views;

#[cfg(test)]
mod tests;

use serde::de::DeserializeOwned;
use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::model::points::Point;

pub use crate::contract::json::{JsonError, to_json};
pub use portcullis_schema::type_of;
pub use views::{views_from_json, views_to_json};

/// A point whose records have a JSON form: every point.
pub trait JsonPoint:
    Point<
        Input: Serialize + DeserializeOwned,
        Outcome: Serialize + DeserializeOwned,
        Rejection: Serialize,
        Answer: Serialize,
        Ask: Serialize,
        Stop: Serialize,
    >
{
}

impl<P> JsonPoint for P where
    P: Point<
            Input: Serialize + DeserializeOwned,
            Outcome: Serialize + DeserializeOwned,
            Rejection: Serialize,
            Answer: Serialize,
            Ask: Serialize,
            Stop: Serialize,
        >
{
}

/// Writes a value in the JSON form into any format, for `#[serde(serialize_with)]`.
///
/// # Errors
///
/// The value cannot be expressed in JSON, or the serializer fails.
pub fn serialize<T: Serialize, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    let json = to_json(value).map_err(S::Error::custom)?;
    json.serialize(serializer)
}

/// Reads a value from its JSON form. Unknown keys and cases are errors.
///
/// # Errors
///
/// The first mistake: its place, and the correct form there.
pub fn from_json<T: DeserializeOwned>(value: Value) -> Result<T, JsonError> {
    T::deserialize(read::Reader(value))
}
