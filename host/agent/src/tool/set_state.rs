//! `set_state`

use async_trait::async_trait;
use portcullis::contract::ToolSpec;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Replay, Tool, ToolError, ToolOutput, ToolRun};

/// Sets a key of the agent's state, which hooks with the view `agent-state` read. It is not among
/// [`builtin_tools`](crate::builtin_tools): add it if hooks use the model's values.
#[derive(Debug, Clone, Copy, Default)]
pub struct SetState;

#[derive(Deserialize)]
struct Arguments {
    key: String,
    value: Value,
}

#[async_trait]
impl Tool for SetState {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: "set_state".into(),
            description:
                "Notes a value under a key, for the rest of the session. The value `null` \
                          removes the key."
                    .into(),
            schema: json!({
                "type": "object",
                "properties": {
                    "key": { "type": "string", "maxLength": 200 },
                    "value": { "description": "Any JSON value." }
                },
                "required": ["key", "value"],
                "additionalProperties": false
            })
            .to_string(),
        }
    }

    fn replay(&self) -> Replay {
        Replay::Safe
    }

    async fn execute(&self, arguments: Value, run: ToolRun) -> Result<ToolOutput, ToolError> {
        let arguments: Arguments =
            serde_json::from_value(arguments).map_err(|e| ToolError::Arguments(e.to_string()))?;
        match arguments.value {
            Value::Null => run.state.remove(arguments.key),
            value => run.state.set(arguments.key, value),
        }
        Ok(ToolOutput::ok("noted"))
    }
}
