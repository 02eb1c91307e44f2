//! The records that every point shares.

mod message;
mod names;
mod stop;

pub use crate::bindings::portcullis::hooks::types::{
    BundledTool, ContentPart, Context, ContextItem, DomainPolicy, Image, ImageSource, Message,
    MessageEdit, PromptSection, Rejection, Role, StopKind, StopReason, StopSignal, ToolBundle,
    ToolCall, ToolResult, ToolRoute, ToolSpec, Usage, Workspace,
};
