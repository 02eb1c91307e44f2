//! Short forms that people write in place of the JSON form.

use serde_json::{Map, Value, json};

/// The default contributor of a prompt's contributions.
const BY: &str = "another-hook";

/// Converts views from the short form to the JSON form.
pub(super) fn views(mut views: Map<String, Value>) -> Value {
    if let Some(content) = views.get_mut("content") {
        parts(content);
    }
    for message in items(views.get_mut("conversation")) {
        if let Some(content) = message.get_mut("content") {
            parts(content);
        }
    }
    // Hooks read the value as JSON, and an empty text is not JSON.
    let data = views.entry("tool-data").or_insert_with(|| json!({}));
    if let Value::Object(data) = data {
        text(data.entry("input").or_insert_with(|| json!({})));
    }
    for tool in items(views.get_mut("tool-catalog")) {
        self::tool(tool);
    }
    if let Some(metadata) = views.get_mut("session").and_then(|s| s.get_mut("metadata"))
        && let Value::Object(entries) = metadata
    {
        let pairs = entries.iter().map(|(key, value)| json!([key, value]));
        *metadata = pairs.collect();
    }
    if let Some(Value::Object(prompt)) = views.get_mut("prompt") {
        self::prompt(prompt);
    }
    Value::Object(views)
}

/// Converts an outcome to the JSON form: content may be a text.
pub(super) fn outcome(mut outcome: Value) -> Value {
    if let Value::Object(case) = &mut outcome {
        for key in ["answer", "transform", "replace"] {
            if let Some(Value::Array(list)) = case.get_mut(key) {
                list.iter_mut().for_each(part);
            }
        }
    }
    outcome
}

fn items(list: Option<&mut Value>) -> impl Iterator<Item = &mut Value> {
    list.and_then(Value::as_array_mut).into_iter().flatten()
}

/// Converts a text to one part, and each text of a list.
fn parts(content: &mut Value) {
    match content {
        Value::String(text) => *content = json!([{ "text": text }]),
        Value::Array(list) => list.iter_mut().for_each(part),
        _ => {}
    }
}

fn part(value: &mut Value) {
    if let Value::String(text) = value {
        *value = json!({ "text": text });
    }
}

/// Converts a table or a list to JSON text, if the contract has JSON text there.
fn text(value: &mut Value) {
    if value.is_object() || value.is_array() {
        *value = value.to_string().into();
    }
}

fn tool(tool: &mut Value) {
    if let Value::String(name) = tool {
        *tool = json!({ "name": name });
    }
    if let Value::Object(spec) = tool {
        spec.entry("description").or_insert_with(|| "".into());
        let schema = spec.entry("schema");
        text(schema.or_insert_with(|| json!({"type": "object"})));
    }
}

fn prompt(prompt: &mut Map<String, Value>) {
    for (list, key) in [
        ("policies", Some("rules")),
        ("items", Some("data")),
        ("sections", None),
        ("bundles", None),
    ] {
        for item in items(prompt.get_mut(list)) {
            if let Some(json) = key.and_then(|key| item.get_mut(key)) {
                text(json);
            }
            if list == "sections"
                && let Value::Object(section) = item
                && !section.contains_key("by")
            {
                section.entry("order").or_insert_with(|| 0.into());
                section.entry("essential").or_insert(Value::Bool(false));
            }
            if item.get("by").is_none() {
                *item = json!({ "by": BY, "value": item });
            }
        }
    }
}
