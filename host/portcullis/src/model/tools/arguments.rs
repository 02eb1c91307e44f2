//! The checked arguments of a tool call.

use std::sync::Arc;

use serde_json::Value;

/// Arguments that fit their tool: the text of a JSON object that the tool's schema allows.
///
/// [`ToolCatalog::arguments`](super::ToolCatalog::arguments) creates them.
#[derive(Debug, Clone)]
pub struct ToolArguments {
    pub(super) text: Arc<str>,
    pub(super) value: Value,
}

impl ToolArguments {
    /// Returns the text of arguments that a model wrote. Some models leave it empty for a tool
    /// without arguments, which counts as `{}`.
    pub fn written(text: &str) -> &str {
        match text.trim() {
            "" => "{}",
            _ => text,
        }
    }

    /// Returns the text, as the model, a hook or a person wrote it.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Returns the text's value: an object.
    pub fn value(&self) -> &Value {
        &self.value
    }
}
