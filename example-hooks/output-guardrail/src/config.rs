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
    /// Which of the kinds that it knows are redacted, by name; `true` for all if left out.
    kinds: Kinds,
    /// Regular expressions of more, by the name of their kind.
    patterns: Patterns,
}

impl Config {
    /// Looks for what the table says.
    pub fn redactor(&self) -> HookResult<Redactor> {
        let all: Vec<_> = ALL.iter().collect();
        Redactor::new(&all, &self.kinds, &self.patterns)
    }
}
