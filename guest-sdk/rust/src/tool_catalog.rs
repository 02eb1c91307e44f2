//! A view of the tools that the model is offered.

pub use crate::bindings::portcullis::hooks::tool_catalog::{get, names};
pub use crate::types::ToolSpec;
