//! The output of a command hook.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The output of a command hook to its agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Answer {
    /// The exit code.
    pub code: u8,
    /// The standard output.
    pub output: Output,
    /// A line for the standard error; empty for none.
    pub error: String,
}

/// The standard output of a command hook.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Output {
    /// Nothing.
    None,
    /// A JSON document.
    Json(Value),
    /// Text.
    Text(String),
}

/// The exit code that blocks, in all dialects.
pub const BLOCKS: u8 = 2;

impl Answer {
    /// Returns an empty answer, with which the agent continues as if there were no hook.
    pub const fn nothing() -> Self {
        Self {
            code: 0,
            output: Output::None,
            error: String::new(),
        }
    }

    pub(crate) fn json(value: Value) -> Self {
        Self {
            output: Output::Json(value),
            ..Self::nothing()
        }
    }

    pub(crate) fn text(text: String) -> Self {
        Self {
            output: Output::Text(text),
            ..Self::nothing()
        }
    }

    /// Returns an answer that blocks by its exit code, for this reason.
    pub(crate) fn blocks(reason: String) -> Self {
        Self {
            code: BLOCKS,
            output: Output::None,
            error: reason,
        }
    }

    /// Returns an answer that ends the agent's loop.
    pub(crate) fn halts(reason: &str) -> Self {
        Self::json(json!({"continue": false, "stopReason": reason}))
    }

    /// Returns an answer that shows the user this text.
    pub(crate) fn note(text: &str) -> Self {
        Self::json(json!({"systemMessage": text}))
    }

    /// Returns an answer with the event's own fields.
    pub(crate) fn specific(event: &str, mut fields: Value) -> Self {
        if let Value::Object(fields) = &mut fields {
            fields.insert("hookEventName".into(), event.into());
        }
        Self::json(json!({"hookSpecificOutput": fields}))
    }
}
