//! The differences between two versions of a hook, for people and for machines.

use std::collections::BTreeSet;
use std::io;

use portcullis::lock::{Credential, Origin};
use portcullis::report::HookReport;
use serde::Serialize;
use serde_json::Value;

use crate::hooks::role;
use crate::terminal::format::print_line;
use crate::terminal::style::{BOLD, DIM, GOOD, NOTE};
use crate::terminal::{Out, Printable, text};

/// The most lines that are shown of an aspect's additions or removals, and the most columns of one.
/// An unknown author's schema may have thousands of keys, which would push the rest off the screen.
const MOST_LINES: usize = 40;
const MOST_COLUMNS: usize = 400;

/// The difference in one aspect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Difference {
    /// The aspect.
    what: &'static str,
    /// The additions.
    added: Vec<String>,
    /// The removals.
    removed: Vec<String>,
}

/// The aspects that an operator decides on, by name.
type Aspects = Vec<(&'static str, BTreeSet<String>)>;

/// A version of a hook, and its origin.
#[derive(Clone, Copy)]
pub struct Version<'a> {
    pub report: &'a HookReport,
    pub origin: &'a Origin,
}

/// Returns the differences, in reading order.
pub fn between(old: Version<'_>, new: Version<'_>) -> Vec<Difference> {
    let pairs = aspects(old).into_iter().zip(aspects(new));
    let differences = pairs.map(|((what, old), (_, new))| Difference {
        what,
        added: new.difference(&old).cloned().collect(),
        removed: old.difference(&new).cloned().collect(),
    });
    differences
        .filter(|one| !one.added.is_empty() || !one.removed.is_empty())
        .collect()
}

fn aspects(Version { report, origin }: Version<'_>) -> Aspects {
    let credential = origin.credential.as_ref().map(Credential::to_string);
    let reach = report.reach();
    // The names in `hooks.toml`.
    let json = serde_json::to_value(report).unwrap_or_default();
    let named = |key: &str| json[key].as_str().unwrap_or_default().to_owned();
    let one = |text: &str| BTreeSet::from([text.to_owned()]);
    let answers = report.answers.iter().flat_map(|(point, kinds)| {
        let kinds = kinds.iter();
        kinds.map(move |kind| format!("{} at {}", kind.name(), point.name()))
    });
    let limits = report
        .limits
        .all()
        .into_iter()
        .map(|limit| match limit.value {
            Some(value) => format!("{} {value}", limit.key),
            None => format!("{} none", limit.key),
        });
    let names = |names: &[&'static str]| names.iter().map(|name| (*name).to_owned()).collect();
    vec![
        ("version", one(&report.version)),
        ("signer", origin.signer.iter().cloned().collect()),
        ("signed with", credential.into_iter().collect()),
        (
            "points",
            report
                .points
                .iter()
                .map(|point| point.name().to_owned())
                .collect(),
        ),
        (
            "imports",
            report
                .imports
                .iter()
                .map(|import| import.name.clone())
                .collect(),
        ),
        ("sees", reach.see.iter().cloned().collect()),
        ("changes", reach.change.iter().cloned().collect()),
        ("reaches", reach.reach.iter().cloned().collect()),
        ("answers", answers.collect()),
        ("contributes", names(&report.contributes)),
        ("role", one(role(report.role))),
        ("priority", one(&report.priority.to_string())),
        ("runs after", report.after.iter().cloned().collect()),
        ("if it fails", one(&named("failure"))),
        ("agent waits", one(&named("execution"))),
        (
            "configuration",
            configuration(report.config_schema.as_ref()),
        ),
        ("limits", limits.collect()),
    ]
}

/// The keys that describe the schema and not the configuration.
const OF_ITSELF: &[&str] = &["$schema", "$id", "title", "description"];

/// Returns a configuration's keys, each with its rules, and all other rules of its schema.
fn configuration(schema: Option<&Value>) -> BTreeSet<String> {
    let Some(schema) = schema else {
        return BTreeSet::new();
    };
    let Some(rules) = schema.as_object() else {
        return BTreeSet::from([format!("the schema: {schema}")]);
    };
    let required = schema["required"].as_array();
    let is_required = |key: &str| required.is_some_and(|keys| keys.iter().any(|one| one == key));
    let keys = schema["properties"].as_object().into_iter().flatten();
    let keys = keys.map(|(key, of)| {
        let mut of = of.clone();
        if let Some(of) = of.as_object_mut() {
            // A description has no effect on the values.
            of.remove("description");
        }
        match is_required(key) {
            true => format!("{key}, required: {of}"),
            false => format!("{key}: {of}"),
        }
    });
    let not_described = required.into_iter().flatten().filter(|key| {
        let key = key.as_str().unwrap_or_default();
        schema["properties"].get(key).is_none()
    });
    let not_described = not_described.map(|key| format!("required: {key}"));
    let others = rules.iter().filter(|(name, _)| {
        let is_above = ["properties", "required"].contains(&name.as_str());
        !is_above && !OF_ITSELF.contains(&name.as_str())
    });
    let others = others.flat_map(|(name, rule)| match rule.as_object() {
        // Types that the keys refer to.
        Some(types) if name == "$defs" || name == "definitions" => {
            let types = types.iter();
            types
                .map(|(key, of)| format!("{name}/{key}: {of}"))
                .collect()
        }
        _ => vec![format!("rule of the schema, {name}: {rule}")],
    });
    keys.chain(not_described).chain(others).collect()
}

/// Writes the differences: additions before removals.
pub fn write(out: &mut Out, differences: &[Difference]) -> io::Result<()> {
    if differences.is_empty() {
        return print_line!(
            out,
            "  {DIM}nothing that it may do or must be given is different{DIM:#}"
        );
    }
    for difference in differences {
        print_line!(out, "  {BOLD}{}{BOLD:#}", difference.what)?;
        for line in difference.added.iter().take(MOST_LINES) {
            print_line!(out, "    {NOTE}+ {}{NOTE:#}", shown(line))?;
        }
        more(out, "+", &difference.added)?;
        for line in difference.removed.iter().take(MOST_LINES) {
            print_line!(out, "    {GOOD}- {}{GOOD:#}", shown(line))?;
        }
        more(out, "-", &difference.removed)?;
    }
    Ok(())
}

fn shown(line: &str) -> Printable {
    text::cut(&Printable::line(line), MOST_COLUMNS)
}

/// Writes the number of lines that are not shown.
fn more(out: &mut Out, sign: &'static str, lines: &[String]) -> io::Result<()> {
    match lines.len().saturating_sub(MOST_LINES) {
        0 => Ok(()),
        more => print_line!(
            out,
            "    {BOLD}{} {} more; --json has all{BOLD:#}",
            sign,
            more
        ),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_rule_of_a_schema_is_compared() {
        let old = json!({
            "title": "Config", "type": "object", "required": ["limit"],
            "properties": { "limit": { "$ref": "#/$defs/Limit", "description": "How much." } },
            "$defs": { "Limit": { "type": "integer" } },
        });
        let of = |schema: &Value| configuration(Some(schema));
        let lines = of(&old);
        let expected = [
            "$defs/Limit: {\"type\":\"integer\"}",
            "limit, required: {\"$ref\":\"#/$defs/Limit\"}",
            "rule of the schema, type: \"object\"",
        ];
        assert_eq!(
            lines.iter().map(String::as_str).collect::<Vec<_>>(),
            expected
        );
        for (rule, value) in [
            ("$defs", json!({ "Limit": { "type": "string" } })),
            ("additionalProperties", json!(false)),
            ("anyOf", json!([{ "required": ["limit"] }])),
            ("required", json!(["limit", "other"])),
        ] {
            let mut new = old.clone();
            new[rule] = value;
            assert_ne!(of(&new), lines, "{rule}");
        }
        let mut same = old.clone();
        same["description"] = json!("Other words.");
        same["properties"]["limit"]["description"] = json!("Other words.");
        assert_eq!(of(&same), lines);
    }
}
