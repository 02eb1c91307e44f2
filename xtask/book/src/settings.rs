//! The reference of `hooks.toml`, from the schema of the types that read it.

use std::fmt::Write as _;

use anyhow::Context as _;
use serde_json::{Map, Value};

use crate::Block;
use crate::text::{cell, number};

/// Longer lists of names are on a page of their own.
const LONGEST_LIST: usize = 10;

/// A table for each section: `settings-engine`, …, and `limits`. One that no page has is an error, so
/// that a new section is not forgotten.
pub(crate) fn blocks() -> anyhow::Result<Vec<Block>> {
    let schema = portcullis::settings::schema();
    let schema = Schema(&schema);
    let mut blocks = Vec::new();
    let sections = schema.0["properties"].as_object();
    for name in sections.context("the schema has no sections")?.keys() {
        let table = schema.table(schema.section(schema.0, name)?)?;
        blocks.push(Block::new(format!("settings-{name}"), table));
    }
    let hook = schema.section(schema.0, "hooks")?;
    let grants = schema.section(hook, "grants")?;
    blocks.push(Block::new("settings-grants", schema.table(grants)?));
    let defaults = schema.section(schema.0, "defaults")?;
    let limits = schema.section(defaults, "limits")?;
    blocks.push(Block::new("limits", schema.table(limits)?));
    Ok(blocks)
}

struct Schema<'a>(&'a Value);

impl<'a> Schema<'a> {
    /// What a key of an object holds: the object that it is, or that each of its entries is.
    fn section(&self, of: &'a Value, key: &str) -> anyhow::Result<&'a Value> {
        let property = &of["properties"][key];
        let entries = &property["additionalProperties"];
        let section = if entries.is_object() {
            entries
        } else {
            property
        };
        self.resolved(section)
            .with_context(|| format!("the schema has no section `{key}`"))
    }

    fn resolved(&self, value: &'a Value) -> Option<&'a Value> {
        match value["$ref"].as_str() {
            Some(reference) => self.0.pointer(reference.trim_start_matches('#')),
            None => value.is_object().then_some(value),
        }
    }

    fn table(&self, section: &'a Value) -> anyhow::Result<String> {
        let keys = section["properties"].as_object();
        let keys = keys.context("a section of the schema has no keys")?;
        let mut table = "| key | value | if left out | |\n| --- | --- | --- | --- |".to_owned();
        for (key, property) in keys {
            let fields = property.as_object().context("a key is not an object")?;
            if is_section(fields) {
                continue;
            }
            let resolved = self.resolved(property).unwrap_or(property);
            let says = fields.get("description").and_then(Value::as_str);
            let says = says.with_context(|| format!("the key `{key}` is not described"))?;
            let _ = write!(
                table,
                "\n| `{key}` | {} | {} | {} |",
                self.kind(key, resolved),
                default(key, fields),
                cell(says)
            );
        }
        Ok(table)
    }

    /// Which values a key takes.
    fn kind(&self, key: &str, of: &'a Value) -> String {
        if let Some(names) = of["enum"].as_array() {
            return listed(names);
        }
        if let Some(either) = of["anyOf"].as_array() {
            let kinds: Vec<String> = either
                .iter()
                .filter(|kind| kind["type"] != "null")
                .map(|kind| self.kind(key, self.resolved(kind).unwrap_or(kind)))
                .collect();
            return kinds.join(" or ");
        }
        if let Some(only) = of.get("const") {
            return format!("`{only}`");
        }
        match of["type"].as_str().unwrap_or_default() {
            "integer" => range(key, of),
            "boolean" => "`true`, `false`".into(),
            "array" => match of["items"]["enum"].is_array() {
                true => format!("a list of {}", self.kind(key, &of["items"])),
                false => "a list of strings".into(),
            },
            "object" => "a table".into(),
            "string" => "a string".into(),
            other => other.to_owned(),
        }
    }
}

/// Sections have tables of their own.
fn is_section(fields: &Map<String, Value>) -> bool {
    fields.contains_key("$ref") || fields.contains_key("allOf")
}

fn range(key: &str, of: &Value) -> String {
    let bytes = key.ends_with("bytes");
    match (of["minimum"].as_i64(), of["maximum"].as_i64()) {
        (Some(least), Some(most)) if most < i64::MAX => {
            let least = number(least.unsigned_abs(), false);
            format!("{least} to {}", number(most.unsigned_abs(), bytes))
        }
        (Some(least), _) => format!("a whole number from {least}"),
        _ => "a whole number".into(),
    }
}

fn default(key: &str, fields: &Map<String, Value>) -> String {
    if let Some(words) = fields.get("x-if-left-out").and_then(Value::as_str) {
        return words.to_owned();
    }
    match fields.get("default") {
        Some(Value::Number(default)) => match default.as_u64() {
            Some(default) => number(default, key.ends_with("bytes")),
            None => default.to_string(),
        },
        Some(Value::String(name)) => format!("`{name}`"),
        Some(Value::Array(names)) if names.is_empty() => "none".into(),
        Some(other) => format!("`{other}`"),
        None => "—".into(),
    }
}

/// The names, or the page that has them.
fn listed(names: &[Value]) -> String {
    let page = match names.first().and_then(Value::as_str) {
        _ if names.len() <= LONGEST_LIST => return joined(names, ", "),
        Some("reject") => "[answers](../concepts/outcomes.md#answers)",
        _ => "[points](../points/README.md)",
    };
    format!("names of {page}")
}

fn joined(names: &[Value], by: &str) -> String {
    let names: Vec<String> = names
        .iter()
        .filter_map(Value::as_str)
        .map(|name| format!("`{name}`"))
        .collect();
    names.join(by)
}
