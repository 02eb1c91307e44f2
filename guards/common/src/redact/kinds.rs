//! The operator's tables of kinds and patterns.

use std::collections::BTreeMap;

use portcullis_sdk::schemars::{Schema, json_schema};
use portcullis_sdk::{Error, HookResult};
use regex_lite::Regex;

use crate::find::{Finder, Kind};
use crate::schema::table;

/// Whether each known kind is searched for, by name; `true` if left out.
pub type Kinds = BTreeMap<String, bool>;
/// Regular expressions of further kinds, by the kind's name.
pub type Patterns = BTreeMap<String, String>;

/// Returns the schema of [`Kinds`]: a key for each of the known kinds, and no other keys.
pub fn kinds_schema(known: &[&'static Kind]) -> Schema {
    let switch = json_schema!({ "type": "boolean", "default": true });
    table(known.iter().map(|kind| (kind.name, switch.clone())))
}

/// Creates a search for the known kinds that are on.
pub(super) fn finder(known: &[&'static Kind], kinds: &Kinds) -> HookResult<Finder> {
    let is_known = |name: &String| known.iter().any(|kind| kind.name == name);
    if let Some(name) = kinds.keys().find(|name| !is_known(name)) {
        let names: Vec<_> = known.iter().map(|kind| kind.name).collect();
        return Err(Error::bad_config(format_args!(
            "`kinds.{name}`: there is no such kind; there are: {}",
            names.join(", ")
        )));
    }
    let is_on = |name: &str| kinds.get(name).copied().unwrap_or(true);
    Ok(Finder::new(
        known.iter().copied().filter(|kind| is_on(kind.name)),
    ))
}

/// Compiles the operator's patterns. The error names a bad one.
pub(super) fn patterns(patterns: &Patterns) -> HookResult<Vec<(String, Regex)>> {
    let compiled = patterns.iter().map(|(kind, pattern)| {
        let fault = |why: &dyn std::fmt::Display| {
            Error::bad_config(format_args!("`patterns.{kind}`: `{pattern}`: {why}"))
        };
        let regex = Regex::new(pattern).map_err(|why| fault(&why))?;
        if regex.is_match("") {
            return Err(fault(&"matches the empty text"));
        }
        Ok((kind.clone(), regex))
    });
    compiled.collect()
}
