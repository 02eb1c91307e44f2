//! The records that every point shares.

mod message;
mod names;
mod rejection;

pub use crate::bindings::portcullis::hooks::types::{
    AskRequest, AuditNote, BackgroundJob, BundledTool, ContentPart, Context, ContextItem,
    ContributionKind, DomainPolicy, HookError, Image, ImageSource, Message, MessageEdit,
    PromptSection, Rejection, Role, StopKind, StopReason, StopSignal, ToolBundle, ToolCall,
    ToolResult, ToolRoute, ToolSpec, Usage, Workspace,
};
