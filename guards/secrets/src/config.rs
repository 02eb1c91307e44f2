//! The operator's table.

use guards_common::find::secrets;
use guards_common::redact::{Kinds, Patterns, kinds_schema};
use guards_common::surfaces::Places;
use portcullis_sdk::HookResult;
use portcullis_sdk::schemars::{self, JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;

use crate::search::Search;

/// The operator's table.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(extend("examples" = [{
    "patterns": { "internal-token": "itk_[A-Za-z0-9]{32}" },
    "places": { "tool_input": "refuse", "trusted_tools": ["deploy"] },
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

fn kinds(_: &mut SchemaGenerator) -> Schema {
    kinds_schema(&secrets())
}

impl Config {
    /// Creates the search for the kinds and patterns of the table.
    pub fn search(&self) -> HookResult<Search> {
        Search::new(&self.kinds, &self.patterns)
    }
}
