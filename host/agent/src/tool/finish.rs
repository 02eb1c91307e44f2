//! A tool whose arguments are its result.

use async_trait::async_trait;
use portcullis::contract::ToolSpec;
use serde_json::Value;

use super::{Replay, Tool, ToolError, ToolOutput, ToolRun};

/// A tool whose result is its own arguments, as JSON object text. As a
/// [finish tool](crate::AgentBuilder::finish_tool), its schema is the schema of the turn's output.
#[derive(Debug, Clone)]
pub struct FinishTool {
    spec: ToolSpec,
}

impl FinishTool {
    /// Creates a tool with this name, description and schema of its arguments.
    pub fn new(spec: ToolSpec) -> Self {
        Self { spec }
    }
}

#[async_trait]
impl Tool for FinishTool {
    fn spec(&self) -> ToolSpec {
        self.spec.clone()
    }

    fn replay(&self) -> Replay {
        Replay::Safe
    }

    async fn execute(&self, arguments: Value, _: ToolRun) -> Result<ToolOutput, ToolError> {
        Ok(ToolOutput::ok(arguments.to_string()))
    }
}
