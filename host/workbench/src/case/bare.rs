//! JSON in a form that TOML can express.

use serde_json::Value;

/// Returns the value without keys whose value is null, which TOML cannot express. `None` if nothing
/// is left.
pub(crate) fn bare(value: Value) -> Option<Value> {
    let value = expressible(value);
    match &value {
        Value::Null => None,
        Value::Array(items) if items.is_empty() => None,
        Value::Object(entries) if entries.is_empty() => None,
        _ => Some(value),
    }
}

/// Replaces a null in a list by the text `null`, and a number too large for TOML by its digits.
fn expressible(value: Value) -> Value {
    match value {
        Value::Object(entries) => {
            let kept = entries.into_iter().filter(|(_, value)| !value.is_null());
            Value::Object(kept.map(|(key, value)| (key, expressible(value))).collect())
        }
        Value::Array(items) => {
            let items = items.into_iter().map(|item| match item {
                Value::Null => "null".into(),
                item => expressible(item),
            });
            Value::Array(items.collect())
        }
        Value::Number(n) if n.as_u64().is_some_and(|n| i64::try_from(n).is_err()) => {
            n.to_string().into()
        }
        value => value,
    }
}
