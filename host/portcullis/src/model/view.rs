//! The views: imports that return a payload of the current call.

use serde::{Deserialize, Serialize};

/// A view: an import that returns a payload of the current call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum View {
    /// The content of the call.
    Content,
    /// The messages so far.
    Conversation,
    /// Arguments and output of the current tool call.
    ToolData,
    /// The tools offered.
    ToolCatalog,
    /// The contributions of hooks to the turn's prompt.
    Prompt,
    /// The agent's state, which tools, hooks and the embedder keep.
    AgentState,
    /// The session's facts from the embedder.
    Session,
    /// The chain's verdict.
    Verdict,
}

impl View {
    /// All views.
    pub const ALL: [View; 8] = [
        View::Content,
        View::Conversation,
        View::ToolData,
        View::ToolCatalog,
        View::Prompt,
        View::AgentState,
        View::Session,
        View::Verdict,
    ];

    /// Returns the name in WIT and in `hooks.toml`.
    pub const fn name(self) -> &'static str {
        match self {
            View::Content => "content",
            View::Conversation => "conversation",
            View::ToolData => "tool-data",
            View::ToolCatalog => "tool-catalog",
            View::Prompt => "prompt",
            View::AgentState => "agent-state",
            View::Session => "session",
            View::Verdict => "verdict",
        }
    }
}
