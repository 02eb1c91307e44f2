//! The JSON schema of `hooks.toml`, generated from the types that read it.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use schemars::JsonSchema;
use serde_json::{Map, Value, json};

use super::file::File;

/// Returns the JSON schema of `hooks.toml`: every key with its type, its range, its meaning and its
/// default. If a default is not a value, `x-if-left-out` describes it in words.
///
/// Editors use the schema to complete and check the file. The reference is generated from it.
pub fn schema() -> Value {
    schema_of::<File>()
}

/// Returns the JSON schema of `hooks.toml` with the configuration schemas of hooks: an id and a
/// schema for each.
pub(crate) fn schema_with<'a>(configs: impl IntoIterator<Item = (&'a str, &'a Value)>) -> Value {
    let mut schema = schema();
    let hook = &schema["properties"]["hooks"]["additionalProperties"];
    let tables = configs.into_iter().map(|(id, config)| {
        let mut config = config.clone();
        if let Some(root) = config.as_object_mut() {
            // The schema is no longer a separate document.
            root.retain(|key, _| !["$schema", "$id"].contains(&key.as_str()));
        }
        // The references must point to the schema's new place.
        within(
            &mut config,
            &format!("#/properties/hooks/properties/{id}/properties/config"),
        );
        let table = json!({ "allOf": [hook], "properties": { "config": config } });
        (id.to_owned(), table)
    });
    let tables: Map<String, Value> = tables.collect();
    schema["properties"]["hooks"]["properties"] = Value::Object(tables);
    schema
}

/// The keywords whose values are not schemas.
const DATA: [&str; 4] = ["const", "default", "enum", "examples"];

/// The keywords whose values are schemas by name. A name is not a keyword.
const NAMED: [&str; 6] = [
    "$defs",
    "definitions",
    "dependencies",
    "dependentSchemas",
    "patternProperties",
    "properties",
];

/// Returns whether a keyword is an editor extension of JSON Schema: links, inserted snippets,
/// Markdown. They are removed because the schema is untrusted.
fn is_for_editors(keyword: &str) -> bool {
    keyword.starts_with("x-")
        || matches!(
            keyword,
            "defaultSnippets"
                | "markdownDescription"
                | "enumDescriptions"
                | "markdownEnumDescriptions"
        )
}

/// Rewrites the `$ref`s of a schema for its place within another schema, and removes keywords for
/// editors.
fn within(schema: &mut Value, place: &str) {
    match schema {
        Value::Object(map) => {
            map.retain(|keyword, _| !is_for_editors(keyword));
            if let Some(Value::String(reference)) = map.get("$ref") {
                match reference.strip_prefix('#') {
                    Some(part) => {
                        let reference = format!("{place}{part}");
                        map.insert("$ref".into(), reference.into());
                    }
                    // Only an unreachable part has another reference, or the schema would have been
                    // refused.
                    None => drop(map.remove("$ref")),
                }
            }
            for (key, value) in map {
                match value {
                    _ if DATA.contains(&key.as_str()) => {}
                    Value::Object(named) if NAMED.contains(&key.as_str()) => {
                        named.values_mut().for_each(|value| within(value, place));
                    }
                    value => within(value, place),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|value| within(value, place)),
        _ => {}
    }
}

/// Returns the part of a schema at this JSON pointer as a separate schema.
pub(crate) fn part_of(schema: &Value, pointer: &str) -> Value {
    let mut whole = schema.clone();
    if pointer.is_empty() {
        return whole;
    }
    let dialect = whole.as_object_mut().and_then(|root| {
        root.remove("$id");
        root.remove("$schema")
    });
    within(&mut whole, "#/$defs/whole");
    // A reference is part of a URL.
    let pointer = utf8_percent_encode(pointer, NON_ALPHANUMERIC).to_string();
    let pointer = pointer.replace("%2F", "/");
    let mut part = json!({
        "$ref": format!("#/$defs/whole{pointer}"),
        "$defs": { "whole": whole },
    });
    if let Some(dialect) = dialect {
        part["$schema"] = dialect;
    }
    part
}

/// Returns the subschemas of a schema, each with its JSON pointer, in the order of the schema.
pub(crate) fn subschemas(schema: &Value) -> Vec<(String, &Value)> {
    let below = |pointer: &str, key: &str| {
        let key = key.replace('~', "~0").replace('/', "~1");
        format!("{pointer}/{key}")
    };
    let mut found = Vec::new();
    let mut waiting = vec![(String::new(), schema)];
    while let Some((pointer, schema)) = waiting.pop() {
        for (keyword, value) in schema.as_object().into_iter().flatten().rev() {
            let place = below(&pointer, keyword);
            match value {
                _ if DATA.contains(&keyword.as_str()) => {}
                Value::Object(named) if NAMED.contains(&keyword.as_str()) => {
                    let named = named.iter().rev();
                    waiting.extend(named.map(|(name, value)| (below(&place, name), value)));
                }
                Value::Array(all) => {
                    let all = all.iter().enumerate().rev();
                    waiting.extend(all.map(|(at, value)| (format!("{place}/{at}"), value)));
                }
                value => waiting.push((place, value)),
            }
        }
        found.push((pointer, schema));
    }
    found
}

/// Returns the JSON schema of an embedder's settings file, like [`schema`] for `hooks.toml`. The
/// file must be read by [`TomlSource`](crate::settings::TomlSource), or into types that refuse
/// unknown keys.
pub fn schema_of<T: JsonSchema>() -> Value {
    let mut schema = schemars::schema_for!(T).to_value();
    tidy(&mut schema);
    close(&mut schema);
    schema
}

/// Makes each table with known keys refuse other keys, like the readers of the file.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            if map.contains_key("properties") && !map.contains_key("additionalProperties") {
                map.insert("additionalProperties".into(), false.into());
            }
            for (key, value) in map {
                match value {
                    _ if DATA.contains(&key.as_str()) => {}
                    Value::Object(named) if NAMED.contains(&key.as_str()) => {
                        named.values_mut().for_each(close);
                    }
                    value => close(value),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}

/// Removes the schemars output that describes Rust types: `null` for missing values, and the
/// integer types of numbers.
fn tidy(value: &mut Value) {
    match value {
        Value::Object(map) => {
            if map.get("default").is_some_and(Value::is_null) || map.contains_key("x-if-left-out") {
                map.remove("default");
            }
            map.remove("format");
            if let Some(Value::Array(types)) = map.get_mut("type") {
                types.retain(|name| name != "null");
                if let [only] = types.as_slice() {
                    let only = only.clone();
                    map.insert("type".into(), only);
                }
            }
            map.values_mut().for_each(tidy);
        }
        Value::Array(items) => items.iter_mut().for_each(tidy),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::{Value, json};

    use super::{schema, schema_with};
    use crate::settings::Settings;

    /// Returns the sections with their schemas, by the header of their tables.
    fn sections(schema: &Value) -> Vec<(&'static str, &Value)> {
        let of = |value: &Value| -> String {
            let reference = value["$ref"].as_str().unwrap_or_default();
            reference.trim_start_matches('#').to_owned()
        };
        let at = |path: String| schema.pointer(&path).unwrap_or(&Value::Null);
        let top = |key: &str| {
            let property = &schema["properties"][key];
            match property["additionalProperties"].is_object() {
                true => at(of(&property["additionalProperties"])),
                false => at(of(property)),
            }
        };
        let limits = at(of(&top("defaults")["properties"]["limits"]));
        vec![
            ("engine", top("engine")),
            ("turn", top("turn")),
            ("quarantine", top("quarantine")),
            ("integrity", top("integrity")),
            ("unnamed", top("unnamed")),
            ("defaults.limits", limits),
            ("hooks.a", top("hooks")),
            ("scripts.a", top("scripts")),
        ]
    }

    fn is_read(section: &str, key: &str, value: &Value) -> bool {
        let required = match section {
            "scripts.a" => "command = [\"a\"]\npoints = [\"pre-turn\"]\n",
            _ => "",
        };
        let text = format!("[{section}]\n{required}{key} = {value}\n");
        Settings::parse(Path::new("hooks.toml"), &text).is_ok()
    }

    #[test]
    fn the_parts_of_a_configuration_are_found_also_under_names_of_keywords() {
        let limit = json!({ "$ref": "#/$defs/Limit" });
        let config = json!({
            "properties": { "default": limit, "enum": limit },
            "default": { "default": { "$ref": "text" } },
            "$defs": { "Limit": { "type": "integer" }, "unused": { "$ref": "elsewhere.json" } },
        });
        let schema = schema_with([("a", &config)]);
        let place = "/properties/hooks/properties/a/properties/config";
        let config = schema.pointer(place).expect("the configuration");
        for key in ["default", "enum"] {
            let part = config["properties"][key]["$ref"].as_str().expect(key);
            let part = schema.pointer(part.trim_start_matches('#'));
            assert_eq!(part, Some(&json!({ "type": "integer" })), "{key}");
        }
        assert_eq!(config["default"]["default"]["$ref"], "text");
        assert_eq!(config["$defs"]["unused"], json!({}));
    }

    #[test]
    fn what_editors_would_obey_is_taken_out_of_a_configuration() {
        let config = json!({
            "x-taplo": { "links": { "key": "https://example.com" } },
            "properties": {
                "x-key": { "type": "string", "markdownDescription": "[here](command:evil)" },
                "defaultSnippets": { "defaultSnippets": [{ "body": "rm" }], "description": "A key." },
            },
        });
        let schema = schema_with([("a", &config)]);
        let kept = &schema["properties"]["hooks"]["properties"]["a"]["properties"]["config"];
        let expected = json!({
            "properties": {
                "x-key": { "type": "string" },
                "defaultSnippets": { "description": "A key." },
            },
        });
        assert_eq!(*kept, expected);
    }

    #[test]
    fn ranges_defaults_and_names_are_those_that_are_read() {
        let schema = schema();
        let mut ranges = 0;
        for (section, of) in sections(&schema) {
            let keys = of["properties"].as_object().expect(section);
            for (key, property) in keys {
                let default = &property["default"];
                if default.is_string() || default.is_i64() {
                    assert!(is_read(section, key, default), "{section} {key} {default}");
                }
                if let Some(most) = property["maximum"].as_i64() {
                    ranges += 1;
                    assert!(is_read(section, key, &1.into()), "{section} {key}");
                    assert!(!is_read(section, key, &0.into()), "{section} {key}");
                    assert!(
                        is_read(section, key, &most.into()),
                        "{section} {key} {most}"
                    );
                    if let Some(over) = most.checked_add(1) {
                        assert!(
                            !is_read(section, key, &over.into()),
                            "{section} {key} {over}"
                        );
                    }
                }
                for name in property["enum"].as_array().into_iter().flatten() {
                    // A detached hook must be an observer, and no default hook is one.
                    let waits =
                        !["background", "fire-and-record"].contains(&name.as_str().unwrap_or(""));
                    assert!(
                        !waits || is_read(section, key, name),
                        "{section} {key} {name}"
                    );
                }
            }
        }
        assert!(ranges > 20, "{ranges} ranges");
    }
}
