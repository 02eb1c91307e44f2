//! Writing the actual result to `[expect]`. The rest of the file stays the same.

use serde_json::{Map, Value};
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table};

use super::compare::LOOSE;
use super::expect::KEYS;
use super::{Expect, compare};
use crate::play::Got;

/// The error that a file cannot be updated.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UpdateError {
    /// The text is not TOML.
    #[error("is no longer TOML: {0}")]
    NotToml(#[from] toml_edit::TomlError),
    /// The file cannot be read or written.
    #[error("cannot be rewritten: {0}")]
    Io(#[from] std::io::Error),
}

/// Returns the text with the expected result replaced by the actual one. If the outcome is the
/// same, only the keys in the text are changed; missing keys are not added.
///
/// # Errors
///
/// The text is not TOML.
pub fn update(text: &str, expect: Option<&Expect>, got: &Got) -> Result<String, UpdateError> {
    let mut document: DocumentMut = text.parse()?;
    match expect {
        Some(expect) if expect.outcome == got.outcome.name() => {
            if compare(expect, got).is_empty() {
                return Ok(text.to_owned());
            }
            if let Some(table) = document.get_mut("expect").and_then(Item::as_table_like_mut) {
                for key in KEYS {
                    let Some(old) = expect.fields.get(key) else {
                        continue;
                    };
                    match got.fields.get(key) {
                        Some(new) if old == new => {}
                        Some(new) if LOOSE.contains(&key) => {
                            let kept = match (old, new) {
                                // The number of requests differs, so the named parts cannot be
                                // reused.
                                (Value::Array(a), Value::Array(b)) if a.len() != b.len() => {
                                    written(key, new)
                                }
                                _ => named(old, new),
                            };
                            table.insert(key, item(&kept));
                        }
                        Some(new) => {
                            table.insert(key, item(new));
                        }
                        None => {
                            table.remove(key);
                        }
                    }
                }
            }
        }
        _ => {
            document.insert("expect", Item::Table(whole(got)));
        }
    }
    Ok(document.to_string())
}

/// Returns a value in the form of a case that names no parts of it.
fn written(key: &str, value: &Value) -> Value {
    match key {
        "http" => without_headers(value),
        _ => value.clone(),
    }
}

/// Returns the complete result as a table.
fn whole(got: &Got) -> Table {
    let mut table = Table::new();
    for key in KEYS {
        if let Some(value) = got.fields.get(key) {
            table.insert(key, item(&written(key, value)));
        }
    }
    table.decor_mut().set_prefix("\n");
    table
}

/// Removes the headers of requests, most of which the language's HTTP client sets.
fn without_headers(requests: &Value) -> Value {
    let mut requests = requests.clone();
    for request in requests.as_array_mut().into_iter().flatten() {
        if let Some(request) = request.as_object_mut() {
            request.remove("headers");
        }
    }
    requests
}

/// Returns the parts of the new value that the old one names.
fn named(old: &Value, new: &Value) -> Value {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            let kept: Map<String, Value> = old
                .iter()
                .filter_map(|(key, old)| Some((key.clone(), named(old, new.get(key)?))))
                .collect();
            match kept.is_empty() {
                true => Value::Object(new.clone()),
                false => Value::Object(kept),
            }
        }
        (Value::Array(old), Value::Array(all)) if old.len() == all.len() => old
            .iter()
            .zip(all)
            .map(|(old, new)| named(old, new))
            .collect(),
        (_, new) => new.clone(),
    }
}

/// Returns a separate table for an object, and a value for anything else.
fn item(value: &Value) -> Item {
    match value {
        Value::Object(entries) => {
            let mut table = Table::new();
            for (key, value) in entries {
                table.insert(key, item(value));
            }
            Item::Table(table)
        }
        Value::Array(items) if !items.is_empty() && items.iter().all(Value::is_object) => {
            let tables = items
                .iter()
                .filter_map(|value| item(value).into_table().ok());
            Item::ArrayOfTables(tables.collect())
        }
        value => Item::Value(inline(value)),
    }
}

fn inline(value: &Value) -> toml_edit::Value {
    match value {
        Value::Null => "null".into(),
        Value::Bool(value) => (*value).into(),
        Value::Number(n) => match (n.as_i64(), n.as_f64()) {
            (Some(n), _) => n.into(),
            (None, Some(n)) => n.into(),
            (None, None) => n.to_string().into(),
        },
        Value::String(text) => text.as_str().into(),
        Value::Array(items) => {
            let mut array: Array = items.iter().map(inline).collect();
            if items.len() > 1 {
                for item in array.iter_mut() {
                    item.decor_mut().set_prefix("\n    ");
                }
                array.set_trailing("\n");
                array.set_trailing_comma(true);
            }
            array.into()
        }
        Value::Object(entries) => {
            let mut table = InlineTable::new();
            for (key, value) in entries {
                table.insert(key, inline(value));
            }
            table.into()
        }
    }
}
