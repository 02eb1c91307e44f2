//! The records that every point shares, generated from `wit/types.wit` and `wit/views.wit`.

/// The version of the contract, that is of the WIT package `portcullis:hooks`, that this host serves.
pub const VERSION: &str = "0.1.0";

pub use crate::bindings::exports::portcullis::hooks::describe::{
    Descriptor, ExecutionPolicy, FailurePolicy, HookRole,
};
pub use crate::bindings::portcullis::hooks::types::{
    AskRequest, AuditNote, BackgroundJob, BundledTool, ContentPart, Context, ContextItem,
    ContributionKind, DomainPolicy, HookError, Image, ImageSource, Message, MessageEdit,
    PromptSection, Rejection, Role, StopKind, StopReason, StopSignal, ToolBundle, ToolCall,
    ToolResult, ToolRoute, ToolSpec, Usage, Workspace,
};
pub use crate::bindings::portcullis::hooks::verdict::{
    ChainVerdict, Decision as ViewDecision, HookFailure as ViewFailure,
};
