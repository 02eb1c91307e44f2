//! The operator's table.

use guards_common::find::personal;
use guards_common::redact::{Kinds, Patterns, kinds_schema};
use guards_common::surfaces::{Mode, Places};
use portcullis_sdk::HookResult;
use portcullis_sdk::schemars::{self, JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;

use crate::search::Search;

/// The operator's table.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(extend("examples" = [{
    "kinds": { "phone": false },
    "patterns": { "customer-number": "KD-[0-9]{8}" },
    "places": { "tool_input": "refuse", "trusted_tools": ["send_mail"] },
}]))]
pub struct Config {
    /// Whether each built-in kind is searched for, by name; `true` if left out.
    #[schemars(schema_with = "kinds")]
    kinds: Kinds,
    /// Regular expressions of further kinds, by the kind's name.
    patterns: Patterns,
    /// The action in each place.
    pub places: Places,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            kinds: Kinds::new(),
            patterns: Patterns::new(),
            // A tool that sends mail needs the address.
            places: Places {
                tool_input: Mode::Off,
                ..Places::default()
            },
        }
    }
}

fn kinds(_: &mut SchemaGenerator) -> Schema {
    kinds_schema(&personal())
}

impl Config {
    /// Creates the search for the kinds and patterns of the table.
    pub fn search(&self) -> HookResult<Search> {
        Search::new(&self.kinds, &self.patterns)
    }
}
