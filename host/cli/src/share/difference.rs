//! What is different between two versions of a hook, for people and for machines.

use std::collections::BTreeSet;
use std::io;

use portcullis::report::HookReport;
use serde::Serialize;
use serde_json::Value;

use crate::hooks::role;
use crate::terminal::format::print_line;
use crate::terminal::style::{BOLD, DIM, GOOD, NOTE};
use crate::terminal::{Out, Printable};

/// What is different in one respect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Difference {
    /// In which.
    what: &'static str,
    /// What is new.
    added: Vec<String>,
    /// What is gone.
    removed: Vec<String>,
}

/// What an operator decides on, by name.
type Aspects = Vec<(&'static str, BTreeSet<String>)>;

/// A version of a hook, and who signed it.
#[derive(Clone, Copy)]
pub struct Version<'a> {
    pub report: &'a HookReport,
    pub signer: Option<&'a str>,
}

/// What is different, in the order in which it is read.
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

fn aspects(Version { report, signer }: Version<'_>) -> Aspects {
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
        ("signer", signer.map(str::to_owned).into_iter().collect()),
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
        ("if it fails", one(&named("failure"))),
        ("agent waits", one(&named("execution"))),
        (
            "configuration",
            configuration(report.config_schema.as_ref()),
        ),
        ("limits", limits.collect()),
    ]
}

/// The keys of a configuration, each with what is asked of it.
fn configuration(schema: Option<&Value>) -> BTreeSet<String> {
    let Some(schema) = schema else {
        return BTreeSet::new();
    };
    let required = schema["required"].as_array();
    let keys = schema["properties"].as_object().into_iter().flatten();
    let keys = keys.map(|(key, of)| {
        let is_required = required.is_some_and(|keys| keys.iter().any(|one| one == key));
        let mut of = of.clone();
        if let Some(of) = of.as_object_mut() {
            // It changes nothing.
            of.remove("description");
        }
        match is_required {
            true => format!("{key}, required: {of}"),
            false => format!("{key}: {of}"),
        }
    });
    keys.collect()
}

/// Writes what is different: what is new before what is gone.
pub fn write(out: &mut Out, differences: &[Difference]) -> io::Result<()> {
    if differences.is_empty() {
        return print_line!(
            out,
            "  {DIM}nothing that it may do or must be given is different{DIM:#}"
        );
    }
    for difference in differences {
        print_line!(out, "  {BOLD}{}{BOLD:#}", difference.what)?;
        for line in &difference.added {
            print_line!(out, "    {NOTE}+ {}{NOTE:#}", Printable::line(line))?;
        }
        for line in &difference.removed {
            print_line!(out, "    {GOOD}- {}{GOOD:#}", Printable::line(line))?;
        }
    }
    Ok(())
}
