//! What a hook says that may be configured.

use std::io;

use percent_encoding::percent_decode_str;
use portcullis::report::HookReport;
use serde_json::{Map, Value};

use super::inspect::{heading, row, write_warnings};
use crate::terminal::format::print_line;
use crate::terminal::style::DIM;
use crate::terminal::{Out, Printable};

/// The most keys that are shown. A stranger's schema may have thousands, and push out of sight what matters more.
const MOST_KEYS: usize = 50;

/// Writes the keys of a hook's configuration, if it reads one.
pub(super) fn write(out: &mut Out, report: &HookReport) -> io::Result<()> {
    let Some(schema) = &report.config_schema else {
        let mut imports = report.imports.iter();
        if imports.any(|import| import.name.starts_with("wasi:config/")) {
            heading(out, "Configuration")?;
            print_line!(out, "  {DIM}it reads one, and gives no schema of it{DIM:#}")?;
        }
        return Ok(());
    };
    heading(out, "Configuration")?;
    let none = Map::new();
    let keys = schema["properties"].as_object().unwrap_or(&none);
    if keys.is_empty() {
        print_line!(out, "  {DIM}no keys that it names{DIM:#}")?;
    }
    let required = schema["required"].as_array();
    for (key, of) in keys.iter().take(MOST_KEYS) {
        let required = required.is_some_and(|keys| keys.iter().any(|one| one == key));
        row(out, key, Printable::line(said(schema, of, required)))?;
    }
    if keys.len() > MOST_KEYS {
        let more = keys.len() - MOST_KEYS;
        print_line!(out, "  {DIM}and {} more keys; --json has all{DIM:#}", more)?;
    }
    write_warnings(out, &report.config_errors)
}

/// A key in one line: its type, whether it is required or what holds without it, what it means, an example.
fn said(schema: &Value, of: &Value, required: bool) -> String {
    let target = target(schema, of);
    // What is said of the key itself counts, and then what is said of its type.
    let property = |name: &str| of.get(name).or_else(|| target.get(name));
    let mut parts = vec![type_of(schema, target)];
    match property("default") {
        Some(Value::Null) => {}
        Some(default) => parts.push(format!("default {default}")),
        None if required => parts.push("required".to_owned()),
        None => {}
    }
    let mut said = parts.join(", ");
    if let Some(means) = property("description").and_then(Value::as_str) {
        said = format!("{said}: {means}");
    }
    if let Some(example) = property("examples").and_then(|all| all.get(0)) {
        said = format!("{said} For example {example}");
    }
    said
}

/// What a type is called.
fn type_of(schema: &Value, of: &Value) -> String {
    match name(of) {
        // A list may hold lists of itself, so only its items are named.
        "array" => match plain(target(schema, &of["items"])) {
            item if item == "value" => "list".to_owned(),
            item => format!("list of {item}"),
        },
        _ => plain(of),
    }
}

/// The same, with nothing about what is in a list.
fn plain(of: &Value) -> String {
    if let Some(words) = of["enum"].as_array() {
        let words: Vec<String> = words.iter().map(Value::to_string).collect();
        return format!("one of {}", words.join(", "));
    }
    let name = match name(of) {
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

/// The type that a schema names, `null` aside.
fn name(of: &Value) -> &str {
    match &of["type"] {
        Value::String(name) => name,
        Value::Array(names) => {
            let mut names = names.iter().filter_map(Value::as_str);
            names.find(|name| *name != "null").unwrap_or_default()
        }
        _ => "",
    }
}

/// What a part of a schema refers to, or the part itself. Of what is optional, what it is if it is there.
fn target<'a>(schema: &'a Value, part: &'a Value) -> &'a Value {
    let branches = part["anyOf"].as_array().map_or(&[][..], Vec::as_slice);
    let mut there = branches.iter().filter(|branch| branch["type"] != "null");
    let part = match (there.next(), there.next()) {
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
            assert_eq!(plain(target(&schema, &part)), said, "{reference}");
        }
    }
}
