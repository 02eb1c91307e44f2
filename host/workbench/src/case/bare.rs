//! JSON as TOML can say it.

use serde_json::Value;

/// The value without what TOML cannot say and nobody misses: keys whose value is null. Nothing where
/// nothing is left of it.
pub(crate) fn bare(value: Value) -> Option<Value> {
    let value = sayable(value);
    match &value {
        Value::Null => None,
        Value::Array(items) if items.is_empty() => None,
        Value::Object(entries) if entries.is_empty() => None,
        _ => Some(value),
    }
}

/// A null in a list becomes a word, and a number that is too great its digits.
fn sayable(value: Value) -> Value {
    match value {
        Value::Object(entries) => {
            let kept = entries.into_iter().filter(|(_, value)| !value.is_null());
            Value::Object(kept.map(|(key, value)| (key, sayable(value))).collect())
        }
        Value::Array(items) => {
            let items = items.into_iter().map(|item| match item {
                Value::Null => "null".into(),
                item => sayable(item),
            });
            Value::Array(items.collect())
        }
        Value::Number(n) if n.as_u64().is_some_and(|n| i64::try_from(n).is_err()) => {
            n.to_string().into()
        }
        value => value,
    }
}
