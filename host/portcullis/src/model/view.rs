//! The views: imports that return a payload of the current call.

use serde::{Deserialize, Serialize};

/// A view: an import that gives a payload of the current call.
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
    /// What hooks have contributed to the turn's prompt.
    Prompt,
    /// What tools and the embedder keep in the agent's state.
    AgentState,
    /// Whose session it is.
    Session,
    /// What the chain decided.
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

    /// The name in WIT and in `hooks.toml`.
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
