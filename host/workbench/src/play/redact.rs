//! Values of secrets replaced by their names, as the host writes them.

use std::collections::BTreeMap;

use serde_json::Value;

/// The secrets of a case.
#[derive(Debug, Clone, Default)]
pub(crate) struct Redact(pub(crate) BTreeMap<String, String>);

impl Redact {
    /// A text without their values.
    pub(crate) fn text(&self, text: &str) -> String {
        let mut text = text.to_owned();
        let mut secrets: Vec<_> = self
            .0
            .iter()
            .filter(|(_, secret)| !secret.is_empty())
            .collect();
        // One may be a part of another.
        secrets.sort_by_key(|(_, secret)| std::cmp::Reverse(secret.len()));
        for (name, secret) in secrets {
            text = text.replace(secret, &format!("[secret {name}]"));
        }
        text
    }

    /// A value without their values.
    pub(crate) fn json(&self, value: Value) -> Value {
        match value {
            Value::String(text) => self.text(&text).into(),
            Value::Array(items) => items.into_iter().map(|item| self.json(item)).collect(),
            Value::Object(entries) => {
                let entries = entries.into_iter();
                let clean = entries.map(|(key, value)| (self.text(&key), self.json(value)));
                Value::Object(clean.collect())
            }
            value => value,
        }
    }
}
