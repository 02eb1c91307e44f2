//! Narrowing of a domain's policies by each other.

use serde_json::{Map, Value};

/// Combines a policy's rules with the earlier ones, so that both apply. Flags and numbers are
/// permissions, and lists are the allowed values. A null is not a rule.
pub(super) fn narrowed(before: &str, after: String) -> String {
    match (serde_json::from_str(before), serde_json::from_str(&after)) {
        (Ok(Value::Object(before)), Ok(Value::Object(after))) => {
            Value::Object(objects(before, after)).to_string()
        }
        // Both were checked when they were contributed.
        _ => after,
    }
}

fn objects(mut before: Map<String, Value>, after: Map<String, Value>) -> Map<String, Value> {
    for (key, value) in after {
        let value = match before.remove(&key) {
            Some(held) => both(held, value),
            None => value,
        };
        before.insert(key, value);
    }
    before
}

fn both(before: Value, after: Value) -> Value {
    match (before, after) {
        (Value::Bool(before), Value::Bool(after)) => Value::Bool(before && after),
        (Value::Number(before), Value::Number(after)) => match after.as_f64() < before.as_f64() {
            true => Value::Number(after),
            false => Value::Number(before),
        },
        (Value::Array(before), Value::Array(mut after)) => {
            after.retain(|item| before.contains(item));
            Value::Array(after)
        }
        (Value::Object(before), Value::Object(after)) => Value::Object(objects(before, after)),
        (Value::Null, after) => after,
        // The narrower of two texts cannot be determined.
        (before, _) => before,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn no_rule_becomes_wider() {
        for (before, after, held) in [
            (
                json!({"write": false}),
                json!({"write": true}),
                json!({"write": false}),
            ),
            (
                json!({"write": true}),
                json!({"write": false}),
                json!({"write": false}),
            ),
            (json!({"most": 3}), json!({"most": 4.5}), json!({"most": 3})),
            (json!({"most": 3}), json!({"most": 2}), json!({"most": 2})),
            (
                json!({"kinds": ["a", "b"]}),
                json!({"kinds": ["b", "c"]}),
                json!({"kinds": ["b"]}),
            ),
            (
                json!({"scope": "user"}),
                json!({"scope": "all"}),
                json!({"scope": "user"}),
            ),
            (
                json!({"scope": "user"}),
                json!({"scope": true}),
                json!({"scope": "user"}),
            ),
            (
                json!({"a": {"b": false}}),
                json!({"a": {"b": true, "c": 1}}),
                json!({"a": {"b": false, "c": 1}}),
            ),
            // A null is not a rule.
            (
                json!({"only": null}),
                json!({"only": ["a"]}),
                json!({"only": ["a"]}),
            ),
            (
                json!({"only": ["a"]}),
                json!({"only": null}),
                json!({"only": ["a"]}),
            ),
            // A rule that only one policy contains applies.
            (
                json!({"read": false}),
                json!({"write": false}),
                json!({"read": false, "write": false}),
            ),
        ] {
            let result = narrowed(&before.to_string(), after.to_string());
            let result: Value = serde_json::from_str(&result).expect("JSON");
            assert_eq!(result, held, "{before} then {after}");
        }
    }
}
