//! The tools that a model can call.
//!
//! A [`Tool`] is one tool; a [`ToolDispatcher`] runs all of an agent's tools by name. [`Toolbox`]
//! is the dispatcher of native tools, built-in tools and MCP tools.

mod builtin;
pub mod child;
mod command;
mod finish;
mod guard;
#[cfg(feature = "mcp")]
mod mcp;
pub mod refusal;
mod replay;
mod run;
mod set_state;
mod state;
mod toolbox;

use async_trait::async_trait;
use portcullis::contract::ToolSpec;
use serde_json::Value;

pub use crate::basics::output::ToolOutput;
pub use builtin::{ListDir, ReadFile, RunCommand, WriteFile, builtin_tools};
pub use command::LineCommand;
pub use finish::FinishTool;
pub use guard::ToolGuard;
#[cfg(feature = "mcp")]
pub use mcp::{McpError, McpHttpConfig, McpServer, McpServerConfig, progress_text};
pub use replay::Replay;
pub use run::{ToolError, ToolProgress, ToolRun};
pub use set_state::SetState;
pub use state::ToolState;
pub use toolbox::{Toolbox, ToolboxError};

/// One tool.
#[async_trait]
pub trait Tool: Send + Sync {
    /// Returns its name, its description and the JSON schema of its arguments, for the model.
    fn spec(&self) -> ToolSpec;

    /// Returns how a durable turn treats a run of the tool whose process died. Default:
    /// [`Replay::Never`].
    fn replay(&self) -> Replay {
        Replay::Never
    }

    /// Runs the tool. The arguments are a JSON object that the schema allows. Dropping the future
    /// stops the tool.
    ///
    /// # Errors
    ///
    /// Returns the error that the model gets as the tool's result.
    async fn execute(&self, arguments: Value, run: ToolRun) -> Result<ToolOutput, ToolError>;
}

/// All tools of an agent.
#[async_trait]
pub trait ToolDispatcher: Send + Sync {
    /// Returns the specs of all tools, in the order the model gets them.
    fn specs(&self) -> Vec<ToolSpec>;

    /// Returns how a durable turn treats a run of the named tool whose process died. Default:
    /// [`Replay::Never`].
    fn replay(&self, _name: &str) -> Replay {
        Replay::Never
    }

    /// Runs the named tool.
    ///
    /// # Errors
    ///
    /// Returns the error that the model gets as the tool's result.
    async fn dispatch(
        &self,
        name: &str,
        arguments: Value,
        run: ToolRun,
    ) -> Result<ToolOutput, ToolError>;
}
