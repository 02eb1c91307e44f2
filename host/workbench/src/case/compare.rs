//! Compares the expected result with the actual one.

use portcullis::text::nearest;
use serde::Serialize;
use serde_json::{Map, Value};

use super::Expect;
use super::expect::KEYS;
use crate::play::Got;

/// Keys whose tables may have more entries than expected.
pub(super) const LOOSE: [&str; 5] = ["value", "rejection", "ask", "stop", "http"];
/// Keys with the details of an outcome.
const DETAILS: [&str; 7] = [
    "value",
    "rejection",
    "ask",
    "stop",
    "contributed",
    "cause",
    "message",
];

/// A difference between the expected and the actual result.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// The key under `[expect]`, with dots.
    pub path: String,
    /// The expected value; `None` if the case does not name it.
    pub expected: Option<Value>,
    /// The actual value; `None` if there is none.
    pub got: Option<Value>,
    /// The key that may be meant, if there is none of that name.
    pub hint: Option<String>,
}

/// Returns all differences, in the order of the keys. If the outcome differs, they include the
/// details of the actual one.
pub fn compare(expect: &Expect, got: &Got) -> Vec<Difference> {
    let mut found = Vec::new();
    let same = expect.fields.get("outcome") == got.fields.get("outcome");
    for key in KEYS {
        let (expected, came) = (expect.fields.get(key), got.fields.get(key));
        match expected {
            Some(expected) if same || !DETAILS.contains(&key) => {
                differ(key, expected, came, LOOSE.contains(&key), &mut found);
            }
            None if !same && DETAILS.contains(&key) && came.is_some() => {
                found.push(Difference::new(key, None, came));
            }
            _ => {}
        }
    }
    found
}

/// Returns every actual value as a difference.
pub(crate) fn all(got: &Got) -> Vec<Difference> {
    let came = KEYS
        .iter()
        .filter_map(|key| Some((key, got.fields.get(*key)?)));
    came.map(|(key, value)| Difference::new(key, None, Some(value)))
        .collect()
}

/// Returns the hook's answer: the outcome and its details, in the order of the keys.
pub(crate) fn verdict(fields: &Map<String, Value>) -> Map<String, Value> {
    let is_of_it = |key: &str| key == "outcome" || key == "continues" || DETAILS.contains(&key);
    let keys = KEYS.into_iter().filter(|key| is_of_it(key));
    keys.filter_map(|key| Some((key.to_owned(), fields.get(key)?.clone())))
        .collect()
}

/// Returns the changes from one value to another, field by field. Texts that are JSON objects are
/// compared by field.
pub(crate) fn changes(before: &Value, after: &Value) -> Vec<Difference> {
    let mut found = Vec::new();
    let (before, after) = (opened(before.clone()), opened(after.clone()));
    differ("value", &before, Some(&after), false, &mut found);
    found
}

fn opened(value: Value) -> Value {
    match value {
        Value::String(text) => match serde_json::from_str(&text) {
            Ok(object @ Value::Object(_)) => object,
            _ => Value::String(text),
        },
        Value::Array(items) => items.into_iter().map(opened).collect(),
        Value::Object(entries) => {
            let entries = entries.into_iter();
            Value::Object(entries.map(|(key, value)| (key, opened(value))).collect())
        }
        value => value,
    }
}

impl Difference {
    fn new(path: &str, expected: Option<&Value>, got: Option<&Value>) -> Self {
        Self {
            path: path.to_owned(),
            expected: expected.cloned(),
            got: got.cloned(),
            hint: None,
        }
    }
}

fn differ(
    path: &str,
    expected: &Value,
    came: Option<&Value>,
    loose: bool,
    found: &mut Vec<Difference>,
) {
    match (expected, came) {
        (expected, None) if is_nothing(expected) => {}
        (Value::Object(wanted), Some(Value::Object(has))) => {
            for (key, value) in wanted {
                let at = format!("{path}.{key}");
                let before = found.len();
                differ(&at, value, has.get(key), loose, found);
                if has.get(key).is_none()
                    && let Some(last) = found.get_mut(before)
                {
                    let names = has.keys().map(String::as_str);
                    let free = names.filter(|name| !wanted.contains_key(*name));
                    last.hint = nearest(key, free).map(str::to_owned);
                }
            }
            if !loose {
                for (key, value) in has.iter().filter(|(key, _)| !wanted.contains_key(*key)) {
                    let at = format!("{path}.{key}");
                    found.push(Difference::new(&at, None, Some(value)));
                }
            }
        }
        (Value::Array(wanted), Some(Value::Array(has))) if wanted.len() == has.len() => {
            for (index, (value, came)) in wanted.iter().zip(has).enumerate() {
                differ(&format!("{path}.{index}"), value, Some(came), loose, found);
            }
        }
        (expected, Some(came)) if same(expected, came) => {}
        (expected, came) => found.push(Difference::new(path, Some(expected), came)),
    }
}

/// Returns whether two values are the same; `1` and `1.0` are.
pub(crate) fn same(a: &Value, b: &Value) -> bool {
    a == b || matches!((a.as_f64(), b.as_f64()), (Some(a), Some(b)) if a == b)
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.is_empty(),
        Value::Object(entries) => entries.values().all(is_nothing),
        _ => false,
    }
}
