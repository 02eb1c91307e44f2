//! The types that every point shares: those of `wit/types.wit` and `wit/views.wit`, and the
//! payloads of answers.

pub(crate) mod bindings;
pub(crate) mod json;
pub(crate) mod linked;
pub(crate) mod text;

use serde::{Deserialize, Serialize};

/// The version of the contract (the WIT package `portcullis:hooks`) that this host serves.
pub const VERSION: &str = "0.2.0";

pub use crate::contract::bindings::exports::portcullis::hooks::describe::{
    Descriptor, ExecutionPolicy, FailurePolicy,
};
pub use crate::contract::bindings::portcullis::hooks::model::{Completion, ModelError};
pub use crate::contract::bindings::portcullis::hooks::types::{
    BundledTool, ContentPart, Context, ContextItem, DomainPolicy, Image, ImageSource, Message,
    MessageEdit, PromptSection, Rejection, Role, StopKind, StopReason, StopSignal, ToolBundle,
    ToolCall, ToolResult, ToolRoute, ToolSpec, Usage, Workspace,
};
pub use crate::contract::bindings::portcullis::hooks::verdict::{
    ChainVerdict, Decision as ViewDecision, HookFailure as ViewFailure,
};

/// The role of a hook, which limits its answers. A component's role follows from the answers that
/// it imports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HookRole {
    /// The hook continues or refuses, and changes nothing.
    Gate,
    /// The hook may give every answer of its points.
    Transform,
    /// The hook sees the final value and the verdict, always runs, and changes nothing.
    Observe,
}

impl HookRole {
    /// Returns whether a hook of this role may do everything that the other role may.
    pub const fn allows(self, other: Self) -> bool {
        matches!(
            (self, other),
            (Self::Transform, _)
                | (Self::Gate, Self::Gate | Self::Observe)
                | (Self::Observe, Self::Observe)
        )
    }
}

/// A decision that a person must take.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskRequest {
    /// The question, in one sentence.
    pub question: String,
    /// The details that the person needs to answer it.
    pub details: Option<String>,
}

/// A remark for later investigation. It must be safe to show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditNote {
    /// A short, stable code for programs.
    pub code: String,
    /// The event, as the text of a JSON value.
    pub data: String,
}

/// Work for one of the agent's job handlers. The turn does not wait for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackgroundJob {
    /// The handler.
    pub name: String,
    /// The handler's input, as the text of a JSON value.
    pub input: String,
}

/// A kind of contribution. Each kind needs its own grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ContributionKind {
    /// A domain's policy.
    Policy,
    /// An item of context.
    Context,
    /// A section of the prompt.
    Section,
    /// Tools.
    Tools,
    /// An audit note.
    Note,
    /// A background job.
    Job,
}

/// A hook's own failure: it could not do its work. This is never a refusal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HookError {
    /// The operator's configuration of this hook is wrong.
    #[error("bad configuration: {0}")]
    BadConfig(String),
    /// Anything else.
    #[error("{0}")]
    Failed(String),
}
