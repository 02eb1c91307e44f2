//! The arguments of a tool call, once they are checked.

use std::sync::Arc;

use serde_json::Value;

/// Arguments that fit their tool: the text of a JSON object that the tool's schema allows.
///
/// [`ToolCatalog::arguments`](super::ToolCatalog::arguments) makes them.
#[derive(Debug, Clone)]
pub struct ToolArguments {
    pub(super) text: Arc<str>,
    pub(super) value: Value,
}

impl ToolArguments {
    /// The text of arguments that a model wrote. Some models leave it empty if a tool takes none, which counts as `{}`.
    pub fn written(text: &str) -> &str {
        match text.trim() {
            "" => "{}",
            _ => text,
        }
    }

    /// The text, as the model, a hook or a person wrote it.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// What the text says: an object.
    pub fn value(&self) -> &Value {
        &self.value
    }
}
