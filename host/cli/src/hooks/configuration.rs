//! The configuration keys of a hook, from its schema.

use std::io;

use percent_encoding::percent_decode_str;
use portcullis::report::HookReport;
use serde_json::{Map, Value};

use super::inspect::{heading, row, write_warnings};
use crate::terminal::format::print_line;
use crate::terminal::style::DIM;
use crate::terminal::{Out, Printable, text};

/// The most keys that are shown. A stranger's schema may have thousands, and push out of sight what matters more.
const MOST_KEYS: usize = 50;
/// The most columns of a key's name, and of what is said of it.
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
    let none = Map::new();
    let keys = schema["properties"].as_object().unwrap_or(&none);
    if keys.is_empty() {
        print_line!(out, "  {DIM}the schema names no keys{DIM:#}")?;
    }
    let required = schema["required"].as_array();
    for (key, property) in keys.iter().take(MOST_KEYS) {
        let required = required.is_some_and(|keys| keys.iter().any(|one| one == key));
        let description = describe_key(schema, property, required);
        let name = text::cut(&Printable::line(key), MOST_NAME);
        let said = text::cut(&Printable::line(description), MOST_SAID);
        row(out, name.as_str(), said)?;
    }
    if keys.len() > MOST_KEYS {
        let more = keys.len() - MOST_KEYS;
        print_line!(out, "  {DIM}and {} more keys; --json has all{DIM:#}", more)?;
    }
    write_example(out, report, schema)?;
    // What is shown is about one file, which `add` has in a temporary directory.
    let file = format!("{}: ", report.file.display());
    let errors = report.config_errors.iter();
    let errors: Vec<String> = errors
        .map(|error| error.strip_prefix(&file).unwrap_or(error).to_owned())
        .collect();
    write_warnings(out, &errors)
}

/// The most lines of an example, and the most columns of one.
const MOST_LINES: usize = 20;
const MOST_COLUMNS: usize = 120;

/// Writes the first example of a whole configuration as it stands in `hooks.toml`, if there is one.
fn write_example(out: &mut Out, report: &HookReport, schema: &Value) -> io::Result<()> {
    let Some(example) = schema["examples"].get(0).and_then(Value::as_object) else {
        return Ok(());
    };
    let config = Map::from_iter([("config".to_owned(), Value::Object(example.clone()))]);
    let hook = Map::from_iter([(report.id.to_string(), Value::Object(config))]);
    let file = Map::from_iter([("hooks".to_owned(), Value::Object(hook))]);
    // TOML has no `null`, and a stranger's example may have one.
    let Ok(text) = toml::to_string(&file) else {
        return Ok(());
    };
    heading(out, "Example in hooks.toml")?;
    let lines = text.lines().filter(|line| !line.is_empty());
    for line in lines.clone().take(MOST_LINES) {
        print_line!(out, "  {}", text::cut(&Printable::line(line), MOST_COLUMNS))?;
    }
    match lines.count().saturating_sub(MOST_LINES) {
        0 => Ok(()),
        more => print_line!(out, "  {DIM}and {} more lines; --json has all{DIM:#}", more),
    }
}

/// A key in one line: its type, whether it is required or its default, what it means, an example.
fn describe_key(schema: &Value, property: &Value, required: bool) -> String {
    let target = target(schema, property);
    // What the schema says of the key itself counts before what it says of the type.
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

/// The name of a property's type; of a list also that of its items.
fn type_name(schema: &Value, property: &Value) -> String {
    match json_type(property) {
        // A list may hold lists of itself, so only its items are named.
        "array" => match plain_type_name(target(schema, &property["items"])) {
            item if item == "value" => "list".to_owned(),
            item => format!("list of {item}"),
        },
        _ => plain_type_name(property),
    }
}

/// The name of a property's type, without that of a list's items.
fn plain_type_name(property: &Value) -> String {
    if let Some(words) = property["enum"].as_array() {
        let words: Vec<String> = words.iter().map(Value::to_string).collect();
        return format!("one of {}", words.join(", "));
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

/// The `type` of a property, `null` aside.
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

/// The part of a schema that a part refers to, or the part itself. Of what may be `null`, the part for other values.
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
}
