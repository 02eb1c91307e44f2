//! The operator's table.

use std::collections::BTreeMap;

use portcullis_sdk::schemars::{self, JsonSchema};
use serde::Deserialize;
use serde_json::Value;

/// The operator's table.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(extend("examples" = [{
    "retries": 1,
    "answer": { "type": "object", "required": ["title"], "properties": { "title": { "type": "string" } } },
}]))]
pub struct Config {
    /// The maximum number of times that the model is asked again in a turn.
    pub retries: u32,
    /// Whether an answer may be in a code block.
    pub fenced: bool,
    /// The schema of final answers, as a table or as JSON text; they are not checked if left out.
    pub answer: Option<Value>,
    /// The schemas of tools' outputs, by name; `*` stands for any text.
    pub tools: BTreeMap<String, Value>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            retries: 2,
            fenced: true,
            answer: None,
            tools: BTreeMap::new(),
        }
    }
}
