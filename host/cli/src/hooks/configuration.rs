//! The configuration keys of a hook, from its schema.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use percent_encoding::percent_decode_str;
use portcullis::hooks::LoadFault;
use portcullis::report::HookReport;
use serde::Serialize;
use serde_json::{Map, Value};

use super::inspect::{heading, row, write_warnings};
use crate::terminal::format::print_line;
use crate::terminal::style::DIM;
use crate::terminal::{Out, Printable, text};

/// The most keys that are shown. An unknown author's schema may have thousands, which would push
/// the rest off the screen.
const MOST_KEYS: usize = 50;
/// The most columns of a key's name, and of its description.
const MOST_NAME: usize = 60;
const MOST_SAID: usize = 400;

/// Writes the keys of a hook's configuration, if it reads one.
pub(super) fn write(out: &mut Out, report: &HookReport) -> io::Result<()> {
    let Some(schema) = &report.config_schema else {
        let mut imports = report.imports.iter();
        if imports.any(|import| import.name.starts_with("wasi:config/")) {
            heading(out, "Configuration")?;
            print_line!(
                out,
                "  {DIM}the hook reads a configuration but has no schema for it{DIM:#}"
            )?;
        }
        return Ok(());
    };
    heading(out, "Configuration")?;
    let top = self::keys(schema);
    // The members of tables share the room that the top-level keys do not use.
    let mut room = MOST_KEYS.saturating_sub(top.len());
    let mut left_out = top.len().saturating_sub(MOST_KEYS);
    let mut keys = Vec::new();
    for (key, property, required) in top.into_iter().take(MOST_KEYS) {
        keys.push((key.to_owned(), property, required));
        let table = members(schema, property);
        let before = keys.len();
        keys.extend(
            keys_of(table, room)
                .map(|(key, property, required)| (format!("  {key}"), property, required)),
        );
        let shown = keys.len() - before;
        room -= shown;
        left_out += count(table) - shown;
    }
    if keys.is_empty() {
        print_line!(out, "  {DIM}the schema names no keys{DIM:#}")?;
    }
    for (key, property, required) in &keys {
        let description = describe_key(schema, property, *required);
        let name = text::cut(&Printable::line(key), MOST_NAME);
        let said = text::cut(&Printable::line(description), MOST_SAID);
        row(out, name.as_str(), said)?;
    }
    if left_out > 0 {
        print_line!(
            out,
            "  {DIM}and {} more keys; --json has all{DIM:#}",
            left_out
        )?;
    }
    write_examples(out, report, schema)?;
    // The output is about one file, so only another file is named.
    let errors = report.config_errors.iter();
    let errors = errors.map(|error| match &error.fault {
        // The keys are described here, so the error does not repeat them.
        LoadFault::NotConfigured { id, needs } => {
            format!("requires {needs}, and has none; write in hooks.toml: [hooks.{id}.config]")
        }
        fault if error.file == report.file => fault.to_string(),
        _ => error.to_string(),
    });
    write_warnings(out, &errors.collect::<Vec<_>>())
}

/// Returns a configuration's keys, each with its schema and whether it is required.
fn keys(schema: &Value) -> Vec<(&str, &Value, bool)> {
    // A type that holds itself is a definition, which the schema refers to.
    keys_of(target(schema, schema), usize::MAX).collect()
}

/// Returns the schema of a property that is a table, or of the tables of a list.
fn members<'a>(schema: &'a Value, property: &'a Value) -> &'a Value {
    let property = target(schema, property);
    match json_type(property) {
        "array" => target(schema, &property["items"]),
        _ => property,
    }
}

fn count(table: &Value) -> usize {
    table["properties"].as_object().map_or(0, Map::len)
}

/// Returns the keys of a table, up to `most`.
fn keys_of(table: &Value, most: usize) -> impl Iterator<Item = (&str, &Value, bool)> {
    let required: BTreeSet<&str> = match most {
        0 => BTreeSet::new(),
        _ => {
            let required = table["required"].as_array().into_iter().flatten();
            required.filter_map(Value::as_str).collect()
        }
    };
    let keys = table["properties"].as_object().into_iter().flatten();
    keys.take(most)
        .map(move |(key, property)| (key.as_str(), property, required.contains(key.as_str())))
}

/// The most examples that are shown, the most lines of one, and the most columns of a line.
const MOST_EXAMPLES: usize = 3;
const MOST_LINES: usize = 20;
const MOST_COLUMNS: usize = 120;

/// Writes the examples of a whole configuration in the form of `hooks.toml`.
fn write_examples(out: &mut Out, report: &HookReport, schema: &Value) -> io::Result<()> {
    let examples = schema["examples"].as_array().into_iter().flatten();
    let examples = examples.filter_map(Value::as_object);
    for example in examples.clone().take(MOST_EXAMPLES) {
        let config = Map::from_iter([("config".to_owned(), Value::Object(example.clone()))]);
        write_table(out, "Example in hooks.toml", report, &config)?;
    }
    match examples.count().saturating_sub(MOST_EXAMPLES) {
        0 => Ok(()),
        more => print_line!(
            out,
            "  {DIM}and {} more examples; --json has all{DIM:#}",
            more
        ),
    }
}

/// Writes a hook's table in the form of `hooks.toml`.
pub(super) fn write_table(
    out: &mut Out,
    title: &str,
    report: &HookReport,
    table: &impl Serialize,
) -> io::Result<()> {
    let hook = BTreeMap::from([(report.id.as_str(), table)]);
    let file = BTreeMap::from([("hooks", hook)]);
    // TOML has no `null`, and a stranger's example may have one.
    let Ok(text) = toml::to_string(&file) else {
        return Ok(());
    };
    heading(out, title)?;
    let lines = text.lines().filter(|line| !line.is_empty());
    for line in lines.clone().take(MOST_LINES) {
        print_line!(out, "  {}", text::cut(&Printable::line(line), MOST_COLUMNS))?;
    }
    match lines.count().saturating_sub(MOST_LINES) {
        0 => Ok(()),
        more => print_line!(out, "  {DIM}and {} more lines; --json has all{DIM:#}", more),
    }
}

/// Describes a key in one line: its type, whether it is required or its default, its meaning, an
/// example.
fn describe_key(schema: &Value, property: &Value, required: bool) -> String {
    let target = target(schema, property);
    // The key's own keywords override the type's.
    let keyword = |name: &str| property.get(name).or_else(|| target.get(name));
    let mut parts = vec![type_name(schema, target)];
    match keyword("default") {
        Some(Value::Null) => {}
        Some(default) => parts.push(format!("default {default}")),
        None if required => parts.push("required".to_owned()),
        None => {}
    }
    let mut line = parts.join(", ");
    if let Some(means) = keyword("description").and_then(Value::as_str) {
        line = format!("{line}: {means}");
    }
    if let Some(example) = keyword("examples").and_then(|all| all.get(0)) {
        line = format!("{line} For example {example}");
    }
    line
}

/// Returns the name of a property's type; for a list, also that of its items.
fn type_name(schema: &Value, property: &Value) -> String {
    match json_type(property) {
        // A list may hold lists of itself, so only its items are named.
        "array" => match plain_type_name(target(schema, &property["items"])) {
            item if item == "value" => "list".to_owned(),
            item => format!("list of {item}"),
        },
        "object" => match plain_type_name(target(schema, &property["additionalProperties"])) {
            value if value == "value" => "table".to_owned(),
            value => format!("table of {value}"),
        },
        _ => plain_type_name(property),
    }
}

/// Returns the name of a property's type, without that of a list's items.
fn plain_type_name(property: &Value) -> String {
    if let Some(values) = values(property) {
        let values: Vec<String> = values.into_iter().map(Value::to_string).collect();
        return format!("one of {}", values.join(", "));
    }
    let name = match json_type(property) {
        "string" => "text",
        "integer" => "whole number",
        "number" => "number",
        "boolean" => "true or false",
        "object" => "table",
        "array" => "list",
        _ => "value",
    };
    name.to_owned()
}

/// Returns the values that a property may have, if the schema lists them: at once, or as
/// alternatives.
fn values(property: &Value) -> Option<Vec<&Value>> {
    if let Some(values) = property["enum"].as_array() {
        return Some(values.iter().collect());
    }
    let mut alternatives = ["oneOf", "anyOf"].into_iter();
    let alternatives = alternatives.find_map(|key| property[key].as_array())?;
    let values = alternatives.iter().map(|alternative| {
        let value = alternative.get("const").map(|value| vec![value]);
        value.or_else(|| Some(alternative["enum"].as_array()?.iter().collect()))
    });
    let values = values.collect::<Option<Vec<_>>>()?.concat();
    (!values.is_empty()).then_some(values)
}

/// Returns the `type` of a property, `null` aside.
fn json_type(property: &Value) -> &str {
    match &property["type"] {
        Value::String(name) => name,
        Value::Array(names) => {
            let mut names = names.iter().filter_map(Value::as_str);
            names.find(|name| *name != "null").unwrap_or_default()
        }
        _ => "",
    }
}

/// Returns the schema that a part refers to, or the part itself. For a nullable part, returns the
/// schema of the other values.
fn target<'a>(schema: &'a Value, part: &'a Value) -> &'a Value {
    let branches = part["anyOf"].as_array().map_or(&[][..], Vec::as_slice);
    let mut non_null = branches.iter().filter(|branch| branch["type"] != "null");
    let part = match (non_null.next(), non_null.next()) {
        (Some(only), None) => only,
        _ => part,
    };
    let reference = part["$ref"].as_str();
    let pointer = reference.and_then(|reference| reference.strip_prefix('#'));
    // A reference is a part of a URL.
    let pointer = pointer.and_then(|pointer| percent_decode_str(pointer).decode_utf8().ok());
    pointer
        .and_then(|pointer| schema.pointer(&pointer))
        .unwrap_or(part)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_reference_is_followed_although_it_is_escaped() {
        let schema = json!({
            "$defs": { "a b%": { "type": "integer" }, "c/d~": { "type": "boolean" } },
        });
        for (reference, said) in [
            ("#/$defs/a%20b%25", "whole number"),
            ("#/$defs/c~1d~0", "true or false"),
            ("#/$defs/c%7E1d%7E0", "true or false"),
            ("#/$defs/none", "value"),
            ("#/%FF", "value"),
        ] {
            let part = json!({ "$ref": reference });
            assert_eq!(plain_type_name(target(&schema, &part)), said, "{reference}");
        }
    }

    #[test]
    fn the_values_of_a_key_and_of_the_members_of_a_table_are_named() {
        let action = json!({ "oneOf": [
            { "const": "allow", "description": "It runs." },
            { "type": "string", "enum": ["ask", "refuse"] },
        ] });
        let rules = json!({ "type": "object", "additionalProperties": false, "properties": {
            "outside": { "$ref": "#/$defs/Action", "description": "Writes outside." },
        } });
        let limits = json!({ "type": "array", "items": { "$ref": "#/$defs/Limit" } });
        let limit = json!({ "type": "object", "properties": { "calls": { "type": "integer" } } });
        let schema = json!({ "$defs": { "Action": action, "Limit": limit } });
        let described = |property: &Value| -> Vec<String> {
            let keys = keys_of(members(&schema, property), MOST_KEYS);
            keys.map(|(key, property, required)| {
                format!("{key}: {}", describe_key(&schema, property, required))
            })
            .collect()
        };
        let outside = "outside: one of \"allow\", \"ask\", \"refuse\": Writes outside.";
        assert_eq!(described(&rules), [outside]);
        assert_eq!(described(&limits), ["calls: whole number"]);
        for (property, said) in [
            (&rules, "table"),
            (
                &json!({ "type": "object", "additionalProperties": { "type": "string" } }),
                "table of text",
            ),
            (
                &json!({ "$ref": "#/$defs/Action" }),
                "one of \"allow\", \"ask\", \"refuse\"",
            ),
            (
                &json!({ "oneOf": [{ "const": 1 }, { "type": "string" }] }),
                "value",
            ),
        ] {
            assert_eq!(
                type_name(&schema, target(&schema, property)),
                said,
                "{property}"
            );
        }
    }

    #[test]
    fn the_keys_of_a_type_that_holds_itself_are_those_of_its_definition() {
        let and = json!({ "items": { "$ref": "#/$defs/Rule" } });
        let rule = json!({ "properties": { "and": and }, "required": ["and"] });
        for schema in [
            json!({ "$ref": "#/$defs/Rule", "$defs": { "Rule": rule } }),
            rule.clone(),
        ] {
            assert_eq!(keys(&schema), [("and", &and, true)]);
        }
    }
}
