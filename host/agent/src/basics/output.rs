//! Tool outputs.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::text;

/// The output of a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ToolOutput {
    /// The text for the model.
    pub content: String,
    /// Whether it is an error.
    pub is_error: bool,
}

impl ToolOutput {
    /// Returns the output of a tool that succeeded.
    pub fn ok(content: impl Into<String>) -> Self {
        Self {
            content: content.into(),
            is_error: false,
        }
    }

    /// Returns the output of a tool that failed.
    pub fn error(content: impl Into<String>) -> Self {
        Self {
            content: content.into(),
            is_error: true,
        }
    }

    /// Cuts the middle out of a text of more bytes.
    pub(crate) fn cut(&mut self, bytes: usize) {
        let shorter = match text::cut(&self.content, bytes) {
            Cow::Owned(shorter) => shorter,
            Cow::Borrowed(_) => return,
        };
        self.content = shorter;
    }
}
