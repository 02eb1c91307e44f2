//! `[client-tools.NAME]`: tools that the client runs.

use portcullis::contract::ToolSpec;
use portcullis::tools::ToolCatalog;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::faults::Faults;

/// A tool that the client runs: the turn is suspended until its result is there.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub struct ClientTool {
    /// The tool's description, for the model. Required.
    pub description: String,
    /// The JSON schema of its arguments, as a table.
    #[schemars(extend("x-if-left-out" = "any object"))]
    pub schema: Option<Map<String, Value>>,
}

impl ClientTool {
    pub(crate) fn spec(&self, name: &str) -> ToolSpec {
        spec(name, &self.description, self.schema.as_ref())
    }

    pub(crate) fn faults(&self, name: &str, faults: &mut Faults<'_>) {
        let at = ["client-tools", name];
        let why = "say what the tool does, for the model";
        faults.required(&at, "description", !self.description.is_empty(), why);
        check(&[&at[..], &["schema"]].concat(), self.spec(name), faults);
    }
}

pub(crate) fn spec(name: &str, description: &str, schema: Option<&Map<String, Value>>) -> ToolSpec {
    let any = || json!({ "type": "object" });
    ToolSpec {
        name: name.to_owned(),
        description: description.to_owned(),
        schema: schema
            .map_or_else(any, |schema| Value::Object(schema.clone()))
            .to_string(),
    }
}

/// Checks a tool's schema.
pub(crate) fn check(at: &[&str], spec: ToolSpec, faults: &mut Faults<'_>) {
    if let Err(error) = ToolCatalog::new([spec]) {
        faults.add(at, error.to_string());
    }
}
