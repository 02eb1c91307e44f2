//! A view of the tools that the model is offered.

use crate::imports::tool_catalog;
pub use crate::types::ToolSpec;

/// Their names, in order.
pub fn names() -> Vec<String> {
    tool_catalog::names()
}

/// The tool of that name.
pub fn get(name: &str) -> Option<ToolSpec> {
    tool_catalog::get(name)
}
