//! The operator's table.

use portcullis_sdk::schemars::{self, JsonSchema};
use std::collections::BTreeMap;

use portcullis_sdk::{Error, HookResult};
use regex_lite::Regex;
use serde::Deserialize;

use crate::find::{Finder, KINDS};

/// The operator's table.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Which of the kinds that it knows are redacted, by name; `true` for all if left out.
    kinds: BTreeMap<String, bool>,
    /// Regular expressions of more, by the name of their kind.
    patterns: BTreeMap<String, String>,
}

impl Config {
    /// Finds the built-in kinds that are on.
    pub fn finder(&self) -> HookResult<Finder> {
        let known = |name: &String| KINDS.iter().any(|kind| kind.name == name);
        if let Some(name) = self.kinds.keys().find(|name| !known(name)) {
            let names: Vec<_> = KINDS.iter().map(|kind| kind.name).collect();
            return Err(Error::bad_config(format_args!(
                "`kinds.{name}`: there is no such kind; there are: {}",
                names.join(", ")
            )));
        }
        let is_on = |name: &str| self.kinds.get(name).copied().unwrap_or(true);
        Ok(Finder::new(KINDS.iter().filter(|kind| is_on(kind.name))))
    }

    /// Compiles the operator's own kinds; a bad pattern is named.
    pub fn patterns(&self) -> HookResult<Vec<(String, Regex)>> {
        self.patterns
            .iter()
            .map(|(kind, pattern)| {
                let fault = |why: &dyn std::fmt::Display| {
                    Error::bad_config(format_args!("`patterns.{kind}`: `{pattern}`: {why}"))
                };
                let regex = Regex::new(pattern).map_err(|why| fault(&why))?;
                if regex.is_match("") {
                    return Err(fault(&"matches the empty text"));
                }
                Ok((kind.clone(), regex))
            })
            .collect()
    }
}
