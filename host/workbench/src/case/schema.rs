//! The JSON schema of a case's file, for editors.

use portcullis::http::HttpFailure;
use portcullis::points::PointId;
use serde_json::{Map, Value, json};

use super::kind::Kind;

/// Returns the JSON schema of a case's file.
pub fn schema() -> Value {
    let settings = portcullis::settings::schema();
    let points: Vec<&str> = PointId::ALL.iter().map(|point| point.name()).collect();
    let texts = json!({"type": "object", "additionalProperties": {"type": "string"}});
    let tables = json!({"type": "object", "additionalProperties": {"type": "object"}});
    let mut properties = Map::new();
    let mut put = |key: &str, schema: Value, description: &str| {
        properties.insert(key.to_owned(), described(schema, description));
    };
    put(
        "about",
        json!({"type": "string"}),
        "A description, shown when the case fails.",
    );
    put("point", json!({"enum": points}), "The lifecycle point.");
    put(
        "input",
        object(),
        "The point's record; what is left out has a default.",
    );
    put("views", object(), "What the hook sees through its imports.");
    put(
        "context",
        context(),
        "The session, the turn and the step of the call.",
    );
    put("config", object(), "What the hook is configured with.");
    put(
        "grants",
        of_hook(&settings, "grants"),
        "Its grants, as in hooks.toml.",
    );
    put(
        "limits",
        of_hook(&settings, "limits"),
        "Its limits, as in hooks.toml.",
    );
    put("state", object(), "Its state in the session.");
    put(
        "shared",
        tables,
        "What is in shared namespaces; they are granted.",
    );
    put(
        "files",
        object(),
        "The files of directories that it is granted, by their paths. Real ones are never read or written.",
    );
    put(
        "secrets",
        texts,
        "Secrets by name; they are granted. Real ones are never read.",
    );
    put(
        "model",
        model(),
        "What the agent's model answers, in this order.",
    );
    put(
        "http",
        json!({"type": "array", "items": http()}),
        "What servers answer. No request reaches the network.",
    );
    put(
        "http-in-order",
        json!({"type": "boolean", "default": false}),
        "Whether requests must come in the order of the entries.",
    );
    put(
        "before",
        json!({"type": ["string", "object"]}),
        "The outcome of another hook that runs before it.",
    );
    put(
        "now",
        json!({"type": "string"}),
        "The time of the clock: a date and a time with an offset.",
    );
    put(
        "seed",
        json!({"type": "integer", "minimum": 0, "default": 0}),
        "The seed of random numbers.",
    );
    put(
        "expect",
        expect(),
        "The expected result. What is left out is not checked.",
    );
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A case of `portcullis test`",
        "type": "object",
        "required": ["point"],
        "additionalProperties": false,
        "properties": properties,
        "$defs": settings.get("$defs").cloned().unwrap_or_default(),
    })
}

fn object() -> Value {
    json!({"type": "object"})
}

fn described(mut schema: Value, description: &str) -> Value {
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("description".into(), description.into());
    }
    schema
}

fn context() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "session-id": {"type": "string"},
            "agent": {"type": "string"},
            "turn": {"type": "integer", "minimum": 0},
            "step": {"type": "integer", "minimum": 0},
        },
    })
}

fn model() -> Value {
    let error = json!({
        "type": "object",
        "required": ["error"],
        "additionalProperties": false,
        "properties": {"error": {"type": "string"}},
    });
    json!({"type": "array", "items": {"anyOf": [{"type": "string"}, error]}})
}

/// Returns the schema of an entry of `[[http]]`.
fn http() -> Value {
    let headers = json!({"type": "object", "additionalProperties": {"type": "string"}});
    let failures = HttpFailure::ALL.map(HttpFailure::name);
    json!({
        "type": "object",
        "required": ["url"],
        "additionalProperties": false,
        "properties": {
            "method": {"type": "string", "description": "The method. Default: any."},
            "url": {"type": "string", "description": "The URL; `*` stands for any text in the path and the query."},
            "sent": {
                "type": "object",
                "description": "What the request must have.",
                "additionalProperties": false,
                "properties": {
                    "headers": headers.clone(),
                    "body": {"type": "string"},
                    "json": {},
                },
            },
            "times": {"type": "integer", "minimum": 0, "description": "How many requests it answers. Default: one or more."},
            "status": {"type": "integer", "minimum": 200, "maximum": 599, "default": 200},
            "headers": headers,
            "body": {"type": "string", "description": "The response's body."},
            "json": {"description": "The response's body as JSON."},
            "error": {"enum": failures, "description": "There is no response."},
        },
    })
}

fn expect() -> Value {
    let keys = super::expect::KEYS.iter();
    let keys: Map<String, Value> = keys
        .map(|key| ((*key).to_owned(), Kind::of(key).schema()))
        .collect();
    json!({"type": "object", "required": ["outcome"], "additionalProperties": false, "properties": keys})
}

/// Returns the schema of a table of a hook in `hooks.toml`.
fn of_hook(settings: &Value, key: &str) -> Value {
    let resolve = |schema: &Value| match schema.get("$ref").and_then(Value::as_str) {
        Some(path) => settings
            .pointer(path.trim_start_matches('#'))
            .cloned()
            .unwrap_or_default(),
        None => schema.clone(),
    };
    let hooks = settings.pointer("/properties/hooks").map(resolve);
    let hook = hooks
        .as_ref()
        .and_then(|hooks| hooks.get("additionalProperties"))
        .map(resolve);
    let table = hook
        .as_ref()
        .and_then(|hook| hook.pointer(&format!("/properties/{key}")));
    table.cloned().unwrap_or_else(object)
}

#[cfg(test)]
mod tests {
    use super::super::{expect, file, http};
    use super::*;

    fn keys(schema: &Value) -> Vec<String> {
        let mut keys: Vec<String> = schema["properties"]
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect();
        keys.sort();
        keys
    }

    fn sorted(keys: &[&str]) -> Vec<String> {
        let mut keys: Vec<String> = keys.iter().map(|key| (*key).to_owned()).collect();
        keys.sort();
        keys
    }

    #[test]
    fn the_schema_has_every_key_and_no_other() {
        let schema = schema();
        assert_eq!(keys(&schema), sorted(&file::KEYS));
        assert_eq!(keys(&schema["properties"]["expect"]), sorted(&expect::KEYS));
        let entry = &schema["properties"]["http"]["items"];
        assert_eq!(
            keys(entry),
            sorted(&[&http::KEYS[..], &[http::ERROR]].concat())
        );
        assert_eq!(keys(&entry["properties"]["sent"]), sorted(&http::SENT));
    }

    #[test]
    fn grants_are_those_of_the_settings() {
        let schema = schema();
        let grants = &schema["properties"]["grants"];
        assert!(
            grants.get("$ref").is_some() || grants.get("properties").is_some(),
            "{grants}"
        );
    }
}
