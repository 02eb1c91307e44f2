//! The contract's names: `call-id` in JSON, `callId` in JavaScript.
//!
//! Only keys are renamed: every object of the contract's JSON form is a record or a case of a variant, but
//! for those with keys of the agent's own.

use portcullis_bridge::has_own_keys;
use serde_json::{Map, Value};

/// What JavaScript wrote, under the contract's names.
pub(crate) fn to_contract(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(to_contract).collect(),
        Value::Object(map) => {
            let entries = map.into_iter().map(|(key, value)| {
                let key = kebab(key);
                let value = match has_own_keys(&key) {
                    true => value,
                    false => to_contract(value),
                };
                (key, value)
            });
            Value::Object(entries.collect::<Map<_, _>>())
        }
        other => other,
    }
}

/// What hooks decided, under JavaScript's names.
pub(crate) fn to_javascript(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(to_javascript).collect(),
        Value::Object(map) => {
            let entries = map.into_iter().map(|(key, value)| {
                let value = match has_own_keys(&key) {
                    true => value,
                    false => to_javascript(value),
                };
                (camel(&key), value)
            });
            Value::Object(entries.collect::<Map<_, _>>())
        }
        other => other,
    }
}

fn kebab(key: String) -> String {
    if !key.contains(|letter: char| letter.is_ascii_uppercase()) {
        return key;
    }
    let mut kebab = String::with_capacity(key.len() + 2);
    for letter in key.chars() {
        if letter.is_ascii_uppercase() {
            kebab.push('-');
        }
        kebab.push(letter.to_ascii_lowercase());
    }
    kebab
}

fn camel(key: &str) -> String {
    let mut camel = String::with_capacity(key.len());
    let mut upper = false;
    for letter in key.chars() {
        match letter {
            '-' => upper = true,
            letter if upper => {
                camel.push(letter.to_ascii_uppercase());
                upper = false;
            }
            letter => camel.push(letter),
        }
    }
    camel
}
