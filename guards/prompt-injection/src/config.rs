//! The operator's table.

use std::collections::BTreeMap;

use guards_common::schema::table;
use portcullis_sdk::schemars::{self, JsonSchema, Schema, SchemaGenerator, json_schema};
use portcullis_sdk::{Error, HookResult};
use serde::Deserialize;

use crate::score::SIGNS;

/// The operator's table.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(extend("examples" = [{
    "trusted": ["read_file"],
    "annotate": 30,
    "refuse": 80,
}]))]
pub struct Config {
    /// The tools whose outputs are read; `*` stands for any text.
    pub tools: Vec<String>,
    /// Tools whose outputs are not read although `tools` names them.
    pub trusted: Vec<String>,
    /// The lowest score of an output that is marked.
    pub annotate: u32,
    /// The lowest score of an output that is withheld.
    pub refuse: u32,
    /// Weights of signs that replace the defaults, by name; 0 disables a sign.
    #[schemars(schema_with = "signs")]
    signs: BTreeMap<String, u32>,
}

/// Returns a schema with a key for each sign, and no other keys.
fn signs(_: &mut SchemaGenerator) -> Schema {
    table(SIGNS.iter().map(|(sign, weight)| {
        let schema = json_schema!({ "type": "integer", "minimum": 0, "default": weight });
        (*sign, schema)
    }))
}

impl Default for Config {
    fn default() -> Self {
        Self {
            tools: vec!["*".to_owned()],
            trusted: Vec::new(),
            annotate: 40,
            refuse: 90,
            signs: BTreeMap::new(),
        }
    }
}

impl Config {
    /// Returns the table if its signs are known.
    pub fn checked(self) -> HookResult<Self> {
        match self
            .signs
            .keys()
            .find(|name| !SIGNS.iter().any(|(sign, _)| sign == name))
        {
            None => Ok(self),
            Some(name) => {
                let names: Vec<_> = SIGNS.iter().map(|(sign, _)| *sign).collect();
                Err(Error::bad_config(format_args!(
                    "`signs.{name}`: there is no such sign; there are: {}",
                    names.join(", ")
                )))
            }
        }
    }

    /// Returns the weight of a sign.
    pub fn weight(&self, sign: &str) -> u32 {
        let own = SIGNS
            .iter()
            .find(|(name, _)| *name == sign)
            .map_or(0, |(_, weight)| *weight);
        self.signs.get(sign).copied().unwrap_or(own)
    }
}
