//! The records that every point shares.

mod message;
mod names;
mod rejection;

pub use crate::bindings::portcullis::hooks::types::{
    AskRequest, ContentPart, Context, HookError, Image, ImageSource, Message, Rejection, Role,
    StopReason, ToolCall, ToolResult, Usage,
};
