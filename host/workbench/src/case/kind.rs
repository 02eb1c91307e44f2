//! The types of values in `[expect]`.

use serde_json::{Map, Value, json};

use super::source::unknown_key;

/// The required type of a value.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    Any,
    Text,
    Switch,
    Texts,
    Table,
    /// A table of tables.
    Tables,
    /// A table with only these keys.
    Record(&'static [&'static str]),
    /// A list of such tables.
    Records(&'static [&'static str]),
}

/// A fault in a part of a value.
pub(super) struct Fault {
    /// The keys of the part, within the value.
    pub(super) at: Vec<String>,
    /// The problem, and the fix.
    pub(super) problem: String,
}

impl Kind {
    /// Returns the required type of a key's value.
    pub(super) fn of(key: &str) -> Self {
        match key {
            "outcome" | "cause" | "message" => Self::Text,
            "continues" => Self::Switch,
            "logs" | "prompts" => Self::Texts,
            "state" | "files" => Self::Table,
            "shared" => Self::Tables,
            "rejection" => Self::Record(&["code", "reason", "details"]),
            "ask" => Self::Record(&["question", "details"]),
            "stop" => Self::Record(&["kind", "message"]),
            "contributed" => {
                Self::Record(&["policy", "context", "section", "tools", "note", "job"])
            }
            "agent-state-edit" => Self::Record(&["set", "remove"]),
            "http" => Self::Records(&[
                "method", "url", "headers", "body", "json", "status", "error",
            ]),
            "events" => Self::Records(&["name", "data"]),
            _ => Self::Any,
        }
    }

    /// Returns the faults of a value. An empty text is valid for every key, because `--update`
    /// replaces it.
    pub(super) fn faults(self, value: &Value) -> Vec<Fault> {
        match (self, value) {
            (Self::Any, _)
            | (Self::Text, Value::String(_))
            | (Self::Switch, Value::Bool(_))
            | (Self::Table, Value::Object(_)) => Vec::new(),
            (_, Value::String(text)) if text.is_empty() => Vec::new(),
            (Self::Record(keys), Value::Object(entries)) => unknown(entries, keys),
            (Self::Tables, Value::Object(entries)) => {
                let entries = entries.iter();
                let faults = entries.map(|(key, value)| within(key, Self::Table.faults(value)));
                faults.flatten().collect()
            }
            (Self::Texts, Value::Array(items)) => in_list(items, Self::Text),
            (Self::Records(keys), Value::Array(items)) => in_list(items, Self::Record(keys)),
            (kind, value) => vec![Fault {
                at: Vec::new(),
                problem: format!("must be {}, and is {}", kind.words(), found(value)),
            }],
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Any => "a value",
            Self::Text => "a text",
            Self::Switch => "true or false",
            Self::Texts => "a list of texts",
            Self::Table | Self::Record(_) => "a table",
            Self::Tables => "a table of tables",
            Self::Records(_) => "a list of tables",
        }
    }

    /// Returns the JSON schema of the type.
    pub(super) fn schema(self) -> Value {
        match self {
            Self::Any => json!({}),
            Self::Text => json!({"type": "string"}),
            Self::Switch => json!({"type": "boolean"}),
            Self::Texts => json!({"type": "array", "items": Self::Text.schema()}),
            Self::Table => json!({"type": "object"}),
            Self::Tables => {
                json!({"type": "object", "additionalProperties": Self::Table.schema()})
            }
            Self::Record(keys) => {
                let keys = keys.iter().map(|key| ((*key).to_owned(), json!({})));
                let keys: Map<String, Value> = keys.collect();
                json!({"type": "object", "additionalProperties": false, "properties": keys})
            }
            Self::Records(keys) => {
                json!({"type": "array", "items": Self::Record(keys).schema()})
            }
        }
    }
}

fn unknown(entries: &Map<String, Value>, known: &[&str]) -> Vec<Fault> {
    let names = entries.keys().filter(|key| !known.contains(&key.as_str()));
    let faults = names.map(|key| Fault {
        at: vec![key.clone()],
        problem: unknown_key(key, known),
    });
    faults.collect()
}

fn in_list(items: &[Value], kind: Kind) -> Vec<Fault> {
    let items = items.iter().enumerate();
    let faults = items.map(|(index, item)| within(&index.to_string(), kind.faults(item)));
    faults.flatten().collect()
}

/// Returns the faults with this key before their keys.
fn within(key: &str, mut faults: Vec<Fault>) -> Vec<Fault> {
    for fault in &mut faults {
        fault.at.insert(0, key.to_owned());
    }
    faults
}

fn found(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(true) => "true",
        Value::Bool(false) => "false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a table",
    }
}

#[cfg(test)]
mod tests {
    use super::super::expect::KEYS;
    use super::*;

    #[test]
    fn an_empty_text_is_right_and_stands_for_what_an_update_writes() {
        for key in KEYS {
            assert!(Kind::of(key).faults(&json!("")).is_empty(), "{key}");
        }
    }

    #[test]
    fn a_fault_has_the_keys_of_its_part() {
        for (key, value, at, problem) in [
            (
                "logs",
                json!("x"),
                "",
                "must be a list of texts, and is a text",
            ),
            (
                "logs",
                json!(["x", 1]),
                "1",
                "must be a text, and is a number",
            ),
            ("state", json!(3), "", "must be a table, and is a number"),
            (
                "shared",
                json!({"a": []}),
                "a",
                "must be a table, and is a list",
            ),
            (
                "rejection",
                json!({"cod": "x"}),
                "cod",
                "there is no key `cod` here; did you mean `code`?",
            ),
            (
                "events",
                json!([{"name": "x"}, {"nam": "x"}]),
                "1.nam",
                "there is no key `nam` here; did you mean `name`?",
            ),
            (
                "continues",
                json!("no"),
                "",
                "must be true or false, and is a text",
            ),
        ] {
            let faults = Kind::of(key).faults(&value);
            let told: Vec<_> = faults
                .iter()
                .map(|fault| (fault.at.join("."), fault.problem.as_str()))
                .collect();
            assert_eq!(told, [(at.to_owned(), problem)], "{key} = {value}");
        }
    }
}
