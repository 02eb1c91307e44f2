//! A view of the tools that the model is offered.

use crate::imports::tool_catalog;
pub use crate::types::ToolSpec;

/// Returns the names of the tools, in order.
pub fn names() -> Vec<String> {
    tool_catalog::names()
}

/// Returns the tool of that name.
pub fn get(name: &str) -> Option<ToolSpec> {
    tool_catalog::get(name)
}
