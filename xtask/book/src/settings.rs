//! The references of `hooks.toml` and `agent.toml`, from the schemas of the types that read them.

use std::fmt::Write as _;

use anyhow::Context as _;
use serde_json::{Map, Value};

use crate::Block;
use crate::text::{cell, number};

/// The length from which a list of names is on a page of its own.
const LONGEST_LIST: usize = 10;

/// Returns a table for each section: `settings-engine`, …, and `limits`. A section that no page
/// contains is an error, so that no new section is forgotten.
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
    let trust = schema.section(schema.0, "trust")?;
    for key in ["identities", "sources"] {
        let table = schema.table(schema.section(trust, key)?)?;
        blocks.push(Block::new(format!("settings-trust-{key}"), table));
    }
    let defaults = schema.section(schema.0, "defaults")?;
    let limits = schema.section(defaults, "limits")?;
    blocks.push(Block::new("limits", schema.table(limits)?));
    Ok(blocks)
}

/// Returns a table for each section of `agent.toml`: `agent`, `agent-providers`,
/// `agent-model-pieces`, …
pub(crate) fn agent_blocks() -> anyhow::Result<Vec<Block>> {
    let schema = portcullis_agent_file::schema();
    let schema = Schema(&schema);
    let mut blocks = vec![Block::new("agent", schema.table(schema.0)?)];
    schema.below("agent", schema.0, &mut blocks)?;
    Ok(blocks)
}

/// Returns a table for each object of a scripted model's script: `script`, `script-provider`,
/// `script-response`, …
pub(crate) fn script_blocks() -> anyhow::Result<Vec<Block>> {
    let schema = portcullis_agent::Script::schema();
    let schema = Schema(&schema);
    let of = |name: &str, title: &str| -> anyhow::Result<Block> {
        let section = schema.0.pointer(&format!("/$defs/{title}"));
        let section = section.with_context(|| format!("the schema has no `{title}`"))?;
        Ok(Block::new(name, schema.linked_table(section, SCRIPTED)?))
    };
    Ok(vec![
        Block::new("script", schema.linked_table(schema.0, SCRIPTED)?),
        of("script-provider", "FileProvider")?,
        of("script-response", "ScriptedResponse")?,
        of("script-tool-call", "ScriptedToolCall")?,
        of("script-usage", "ScriptedUsage")?,
        of("script-error", "ScriptedError")?,
    ])
}

/// The anchors of each definition's keys on the page of scripts.
const SCRIPTED: &[(&str, &str)] = &[
    ("FileProvider", "providers"),
    ("ScriptedResponse", "a-response"),
    ("ScriptedToolCall", "tool_calls"),
    ("ScriptedUsage", "usage"),
    ("ScriptedError", "error"),
];

struct Schema<'a>(&'a Value);

impl<'a> Schema<'a> {
    /// Returns the object that a key's value is, or the object that each of its entries is.
    fn section(&self, of: &'a Value, key: &str) -> anyhow::Result<&'a Value> {
        let property = &of["properties"][key];
        let entries = &property["additionalProperties"];
        let section = if entries.is_object() {
            entries
        } else {
            property
        };
        self.keys(section)
            .or_else(|| self.resolved(section))
            .with_context(|| format!("the schema has no section `{key}`"))
    }

    /// Adds a table for each section of a section, except for a section that contains itself.
    fn below(&self, name: &str, section: &'a Value, blocks: &mut Vec<Block>) -> anyhow::Result<()> {
        for (key, property) in section["properties"].as_object().into_iter().flatten() {
            let Some(found) = self.keys(property).filter(|found| *found != section) else {
                continue;
            };
            let name = format!("{name}-{key}");
            blocks.push(Block::new(&name, self.table(found)?));
            self.below(&name, found, blocks)?;
        }
        Ok(())
    }

    /// Returns the schema with the keys of a value: the table that the value is or may be, the
    /// table that each of its entries is, or, at the top, the table that each item of its list is.
    fn keys(&self, property: &'a Value) -> Option<&'a Value> {
        let resolved = self.resolved(property)?;
        if resolved["properties"].is_object() {
            return Some(resolved);
        }
        let choices = resolved["anyOf"].as_array().into_iter().flatten();
        let entries = &resolved["additionalProperties"];
        let is_list_at_the_top = self.0["properties"]
            .as_object()
            .is_some_and(|top| top.values().any(|at_top| std::ptr::eq(at_top, property)));
        let items = is_list_at_the_top.then(|| &resolved["items"]);
        let mut below = choices.chain([entries]).chain(items);
        below.find_map(|value| self.keys(value))
    }

    fn resolved(&self, value: &'a Value) -> Option<&'a Value> {
        match value["$ref"].as_str() {
            Some(reference) => self.0.pointer(reference.trim_start_matches('#')),
            None => value.is_object().then_some(value),
        }
    }

    /// Returns a table of a section's keys, without the keys that have tables of their own.
    fn table(&self, section: &'a Value) -> anyhow::Result<String> {
        self.linked_table(section, &[])
    }

    /// Returns the table of [`Self::table`] with a link for each key whose value has a table of its
    /// own. `links` contains the anchor of each definition.
    fn linked_table(&self, section: &'a Value, links: &[(&str, &str)]) -> anyhow::Result<String> {
        let required = section["required"].as_array();
        let required = |key: &str| required.is_some_and(|keys| keys.iter().any(|one| one == key));
        let keys = section["properties"].as_object();
        let keys = keys.context("a section of the schema has no keys")?;
        let mut table = "| key | value | if left out | |\n| --- | --- | --- | --- |".to_owned();
        for (key, property) in keys {
            let fields = property.as_object().context("a key is not an object")?;
            let resolved = self.resolved(property).unwrap_or(property);
            let kind = match linked(property, links) {
                Some(link) => link,
                None if self.keys(property).is_some() => continue,
                None => self.kind(key, resolved),
            };
            let says = fields.get("description").and_then(Value::as_str);
            let says = says.with_context(|| format!("the key `{key}` is not described"))?;
            let _ = write!(
                table,
                "\n| `{key}` | {} | {} | {} |",
                kind,
                if required(key) {
                    "required".to_owned()
                } else {
                    default(key, fields)
                },
                cell(without_default(says, fields))
            );
        }
        Ok(table)
    }

    /// Returns the values that a key takes.
    fn kind(&self, key: &str, of: &'a Value) -> String {
        if let Some(names) = of["enum"].as_array() {
            return listed(names);
        }
        if let Some(either) = of["anyOf"].as_array().or(of["oneOf"].as_array()) {
            let kinds: Vec<String> = either
                .iter()
                .filter(|kind| kind["type"] != "null")
                .map(|kind| self.kind(key, self.resolved(kind).unwrap_or(kind)))
                .collect();
            return kinds.join(match of["oneOf"].is_array() {
                true => ", ",
                false => " or ",
            });
        }
        if let Some(only) = of.get("const") {
            let only = only
                .as_str()
                .map_or_else(|| only.to_string(), str::to_owned);
            return format!("`{only}`");
        }
        match of["type"].as_str().unwrap_or_default() {
            "integer" => range(key, of),
            "boolean" => "`true`, `false`".into(),
            "array" => match of["items"]["enum"].is_array() {
                true => format!("a list of {}", self.kind(key, &of["items"])),
                false if self.resolved(&of["items"]).is_some_and(has_keys) => {
                    "a list of tables".into()
                }
                false => match self.resolved(&of["items"]) {
                    Some(items) if items["oneOf"].is_array() => {
                        format!("a list of {}", self.kind(key, items))
                    }
                    _ => "a list of strings".into(),
                },
            },
            "object" => match of["required"].as_array().and_then(|keys| keys.first()) {
                Some(Value::String(key)) => format!("`{{ {key} = … }}`"),
                _ => "a table".into(),
            },
            "number" => "a number".into(),
            "string" => "a string".into(),
            other => other.to_owned(),
        }
    }
}

/// Returns a link if a key's value is a table with an anchor of its own, or a list of such tables.
fn linked(property: &Value, links: &[(&str, &str)]) -> Option<String> {
    let definition = |value: &Value| {
        let name = value["$ref"].as_str()?.strip_prefix("#/$defs/")?;
        links.iter().find(|(of, _)| *of == name).map(|(_, to)| *to)
    };
    if let Some(to) = definition(&property["items"]) {
        return Some(format!("[a list of tables](#{to})"));
    }
    let mut choices = property["anyOf"].as_array().into_iter().flatten();
    let to = choices
        .find_map(definition)
        .or_else(|| definition(property))?;
    Some(format!("[a table](#{to})"))
}

fn has_keys(of: &Value) -> bool {
    of["properties"].is_object()
}

/// Returns the description without the default, which has a column of its own.
fn without_default<'a>(says: &'a str, fields: &Map<String, Value>) -> &'a str {
    match says.split_once("Default: ") {
        Some((says, _)) if fields.contains_key("default") => says.trim_end(),
        _ => says,
    }
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
        Some(Value::String(name)) if name.is_empty() => "—".into(),
        Some(Value::String(name)) => format!("`{name}`"),
        Some(Value::Array(names)) if names.is_empty() => "none".into(),
        Some(Value::Object(table)) if table.is_empty() => "none".into(),
        Some(other) => format!("`{other}`"),
        None => "—".into(),
    }
}

/// Returns the names, or a link to the page that lists them.
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
