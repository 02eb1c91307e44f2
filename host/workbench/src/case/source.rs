//! The text of a case: its values as JSON, and the lines of its keys.

use std::path::{Path, PathBuf};

use portcullis::json::JsonError;
use portcullis::text::{nearest, sanitize_for_terminal};
use serde_json::{Map, Value};
use toml_edit::{Document, Item, TableLike};

use super::CaseError;
use super::read::keys;

/// The text of a case.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    path: PathBuf,
    document: Document<String>,
}

impl Source {
    pub(super) fn parse(path: &Path, text: &str) -> Result<Self, CaseError> {
        let document = Document::parse(text.to_owned()).map_err(|e| CaseError {
            file: path.to_owned(),
            line: e.span().map(|span| line_at(text, span.start)),
            key: None,
            problem: format!("is not TOML: {}", sanitize_for_terminal(e.message())),
        })?;
        Ok(Self {
            path: path.to_owned(),
            document,
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the value at a key.
    pub(crate) fn item(&self, key: &str) -> Option<&Item> {
        self.document.get(key)
    }

    /// Returns the value at a key, as JSON.
    pub(super) fn value(&self, key: &str) -> Option<Value> {
        self.item(key).and_then(json)
    }

    /// Returns a table's entries, as JSON; none if there is no table.
    pub(super) fn table(&self, key: &str) -> Result<Map<String, Value>, CaseError> {
        match self.value(key) {
            None => Ok(Map::new()),
            Some(Value::Object(entries)) => Ok(entries),
            Some(_) => Err(self.error(&[key], format!("must be a table; write [{key}]"))),
        }
    }

    /// Returns an error for each unknown key.
    pub(super) fn unknown<'a>(&'a self, known: &'a [&str]) -> impl Iterator<Item = CaseError> + 'a {
        let keys = self.document.iter().map(|(key, _)| key);
        keys.filter(|key| !known.contains(key))
            .map(|key| self.error(&[key], unknown_key(key, known)))
    }

    /// Returns an error about the value at a path of keys.
    pub(crate) fn error(&self, keys: &[&str], problem: String) -> CaseError {
        CaseError {
            file: self.path.clone(),
            line: self.line_of(keys),
            key: (!keys.is_empty()).then(|| sanitize_for_terminal(&keys.join("."))),
            problem,
        }
    }

    /// Returns an error in the JSON form of the value at a key.
    pub(super) fn json_error(&self, key: &str, error: &JsonError) -> CaseError {
        let within = keys(error);
        let keys: Vec<&str> = std::iter::once(key)
            .chain(within.iter().map(String::as_str))
            .collect();
        self.error(&keys, error.problem.clone())
    }

    /// Returns the line of the key at the end of the path, or of the last existing key on it.
    pub(super) fn line_of(&self, keys: &[&str]) -> Option<usize> {
        let mut here: &dyn TableLike = self.document.as_table();
        let mut offset = None;
        let mut list: Option<&Item> = None;
        for key in keys {
            if let Some(items) = list.take() {
                let Some((span, inner)) = key.parse().ok().and_then(|index| entry(items, index))
                else {
                    break;
                };
                offset = span.or(offset);
                match inner {
                    Some(inner) => here = inner,
                    None => break,
                }
                continue;
            }
            let Some((name, item)) = here.get_key_value(key) else {
                break;
            };
            offset = name
                .span()
                .or(item.span())
                .map(|span| span.start)
                .or(offset);
            match item.as_table_like() {
                Some(inner) => here = inner,
                None if item.is_array() || item.is_array_of_tables() => list = Some(item),
                None => break,
            }
        }
        offset.map(|offset| line_at(self.document.raw(), offset))
    }
}

/// Returns the start of a list's entry, and its table if it is one.
fn entry(items: &Item, index: usize) -> Option<(Option<usize>, Option<&dyn TableLike>)> {
    let start = |span: Option<std::ops::Range<usize>>| span.map(|span| span.start);
    if let Some(tables) = items.as_array_of_tables() {
        let table = tables.get(index)?;
        return Some((start(table.span()), Some(table)));
    }
    let value = items.as_array()?.get(index)?;
    let table = value.as_inline_table().map(|table| table as &dyn TableLike);
    Some((start(value.span()), table))
}

/// Returns the error text for an unknown key.
pub(super) fn unknown_key(wrong: &str, known: &[&str]) -> String {
    let hint = match nearest(wrong, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("known here: {}", known.join(", ")),
    };
    format!(
        "there is no key `{}` here; {hint}",
        sanitize_for_terminal(wrong)
    )
}

fn line_at(text: &str, offset: usize) -> usize {
    let before = text.as_bytes().iter().take(offset);
    1 + before.filter(|byte| **byte == b'\n').count()
}

/// Returns a value of TOML as JSON; a date as its text.
fn json(item: &Item) -> Option<Value> {
    match item {
        Item::None => None,
        Item::Value(value) => Some(json_value(value)),
        Item::Table(table) => Some(object(table)),
        Item::ArrayOfTables(tables) => Some(Value::Array(
            tables.iter().map(|table| object(table)).collect(),
        )),
    }
}

fn object(table: &dyn TableLike) -> Value {
    let entries = table.iter();
    let entries = entries.filter_map(|(key, item)| Some((key.to_owned(), json(item)?)));
    Value::Object(entries.collect())
}

fn json_value(value: &toml_edit::Value) -> Value {
    use toml_edit::Value as Toml;
    match value {
        Toml::String(text) => text.value().as_str().into(),
        Toml::Integer(n) => (*n.value()).into(),
        Toml::Float(n) => (*n.value()).into(),
        Toml::Boolean(b) => (*b.value()).into(),
        Toml::Datetime(at) => at.value().to_string().into(),
        Toml::Array(items) => Value::Array(items.iter().map(json_value).collect()),
        Toml::InlineTable(table) => object(table),
    }
}
