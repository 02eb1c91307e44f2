//! The operator's table.

use guards_common::find::ALL;
use guards_common::redact::{Kinds, Patterns, Redactor};
use portcullis_sdk::HookResult;
use portcullis_sdk::schemars::{self, JsonSchema};
use serde::Deserialize;

/// The operator's table.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Whether each built-in kind is redacted, by name; `true` if left out.
    kinds: Kinds,
    /// Regular expressions of further kinds, by the kind's name.
    patterns: Patterns,
}

impl Config {
    /// Creates a redactor for the kinds and patterns of the table.
    pub fn redactor(&self) -> HookResult<Redactor> {
        let all: Vec<_> = ALL.iter().collect();
        Redactor::new(&all, &self.kinds, &self.patterns)
    }
}
