//! The records that every point shares, generated from `wit/types.wit` and `wit/views.wit`.

pub use crate::bindings::exports::portcullis::hooks::describe::{
    Descriptor, ExecutionPolicy, FailurePolicy, HookRole,
};
pub use crate::bindings::portcullis::hooks::tool_catalog::ToolSpec;
pub use crate::bindings::portcullis::hooks::types::{
    AskRequest, ContentPart, Context, HookError, Image, ImageSource, Message, Rejection, Role,
    StopReason, ToolCall, ToolResult, Usage,
};
pub use crate::bindings::portcullis::hooks::verdict::{
    ChainVerdict, Decision as ViewDecision, HookFailure as ViewFailure,
};
