//! Numbers in the JSON form. Whole numbers must be within the range of their type.

use std::fmt::Display;

use serde_json::Value;

use super::{JsonError, type_of};

/// Reads a whole number of the type `T`.
pub(super) fn whole<T>(value: &Value, least: T, most: T) -> Result<T, JsonError>
where
    T: TryFrom<u64> + TryFrom<i64> + Display,
{
    let number = match (value.as_u64(), value.as_i64()) {
        (Some(n), _) => T::try_from(n).ok(),
        (None, Some(n)) => T::try_from(n).ok(),
        (None, None) => None,
    };
    number.ok_or_else(|| {
        let found = match value {
            Value::Number(_) => "another number",
            other => type_of(other),
        };
        JsonError::new(format!(
            "expected a whole number from {least} to {most}, found {found}"
        ))
    })
}

/// Reads any number.
pub(super) fn any(value: &Value) -> Result<f64, JsonError> {
    value
        .as_f64()
        .ok_or_else(|| JsonError::new(format!("expected a number, found {}", type_of(value))))
}
