//! Whole numbers that are written as floating-point numbers.
//!
//! For a JSON schema `3.0` is an integer. For serde, which reads the configurations of hooks in Rust, it is not, and
//! nor is it one for most other readers that know the two apart.

use jsonschema::JsonType;
use jsonschema::error::{TypeKind, ValidationErrorKind};
use serde_json::Value;

use super::{Fault, Schema, Wrong};

impl Schema {
    /// The floating-point numbers that stand where the schema wants an integer, in a value that fits it. Says up to
    /// `most`, and looks at as many.
    pub(crate) fn floats_for_integers(&self, value: &Value, most: usize) -> Vec<Wrong> {
        let mut pointers = Vec::new();
        find(value, &mut String::new(), most, &mut pointers);
        let wrong = pointers.into_iter().filter_map(|(at, float)| {
            let mut other = value.clone();
            // The next number is no whole one, so that it fits only where any number does.
            *other.pointer_mut(&at)? = float.next_up().into();
            let is_wanted = self
                .validator
                .iter_errors(&other)
                .any(|error| error.instance_path().as_str() == at && wants_integer(error.kind()));
            let words = format!(
                "floating point `{float:.1}`, expected an integer; write {float:.0} without a point"
            );
            is_wanted.then_some(Wrong {
                at,
                fault: Fault::Other(words),
            })
        });
        wrong.collect()
    }
}

/// Whether a type is wrong because it is no integer; of alternatives, whether all are wrong.
fn wants_integer(kind: &ValidationErrorKind) -> bool {
    match kind {
        ValidationErrorKind::Type { kind } => match kind {
            TypeKind::Single(kind) => *kind == JsonType::Integer,
            TypeKind::Multiple(kinds) => kinds.contains(JsonType::Integer),
        },
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            context
                .iter()
                .flatten()
                .any(|error| wants_integer(error.kind()))
        }
        _ => false,
    }
}

/// Finds the whole floating-point numbers, with their places as JSON pointers.
fn find(value: &Value, at: &mut String, most: usize, found: &mut Vec<(String, f64)>) {
    let length = at.len();
    match value {
        Value::Number(number) if number.is_f64() => {
            let float = number.as_f64().filter(|float| float.fract() == 0.0);
            if found.len() < most {
                found.extend(float.map(|float| (at.clone(), float)));
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                at.push_str(&format!("/{index}"));
                find(item, at, most, found);
                at.truncate(length);
            }
        }
        Value::Object(members) => {
            for (key, member) in members {
                at.push('/');
                at.push_str(&key.replace('~', "~0").replace('/', "~1"));
                find(member, at, most, found);
                at.truncate(length);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_whole_float_is_wrong_only_where_an_integer_is_wanted() {
        let schema = Schema::of(&json!({
            "properties": {
                "count": { "type": "integer", "maximum": 3 },
                "ratio": { "type": "number", "maximum": 3 },
                "maybe": { "anyOf": [{ "type": "integer" }, { "type": "null" }] },
                "either": { "anyOf": [{ "type": "integer" }, { "type": "number" }] },
                "a/b": { "items": { "type": ["integer", "string"] } },
            },
        }));
        let schema = schema.expect("a schema");
        let value = json!({
            "count": 3.0, "ratio": 3.0, "maybe": 2.0, "either": 1.0, "a/b": [1, "x", 4.0], "other": 5.0,
        });
        assert_eq!(schema.check(&value, 10), Ok(()));
        let wrong = schema.floats_for_integers(&value, 10);
        let places: Vec<&str> = wrong.iter().map(|wrong| wrong.at.as_str()).collect();
        assert_eq!(places, ["/a~1b/2", "/count", "/maybe"], "{wrong:?}");
        let said = wrong[1].fault.to_string();
        assert_eq!(
            said,
            "floating point `3.0`, expected an integer; write 3 without a point"
        );
        assert_eq!(schema.floats_for_integers(&json!({ "count": 3 }), 10), []);
    }

    #[test]
    fn a_key_that_does_not_fit_is_named() {
        let schema = Schema::of(&json!({ "propertyNames": { "maxLength": 3 } }));
        let schema = schema.expect("a schema");
        let wrong = schema.check(&json!({ "abc": 1, "a/long": 2 }), 10);
        let Err(super::super::Misfit::Wrong(wrong)) = wrong else {
            panic!("{wrong:?}");
        };
        assert_eq!(wrong.len(), 1, "{wrong:?}");
        assert_eq!(wrong[0].at, "/a~1long");
        assert!(
            wrong[0]
                .fault
                .to_string()
                .starts_with("this key does not fit: "),
            "{wrong:?}"
        );
    }
}
