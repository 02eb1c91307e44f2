//! `[finish]`: a tool whose arguments are the turn's output.

use portcullis::contract::ToolSpec;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::client_tools::{check, spec};
use crate::faults::Faults;

/// A tool that the model calls to end the turn. The tool's arguments, as JSON, are the turn's
/// output, so its schema is the output's schema.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub struct Finish {
    /// The tool's name.
    pub name: String,
    /// When to call it, for the model.
    pub description: String,
    /// The JSON schema of the output, as a table.
    #[schemars(extend("x-if-left-out" = "any object"))]
    pub schema: Option<Map<String, Value>>,
}

impl Default for Finish {
    fn default() -> Self {
        Self {
            name: "finish".into(),
            description: "Ends the work with this result.".into(),
            schema: None,
        }
    }
}

impl Finish {
    pub(crate) fn spec(&self) -> ToolSpec {
        spec(&self.name, &self.description, self.schema.as_ref())
    }

    pub(crate) fn faults(&self, faults: &mut Faults<'_>) {
        let named = !self.name.is_empty();
        faults.required(&["finish"], "name", named, "name the tool");
        check(&["finish", "schema"], self.spec(), faults);
    }
}
