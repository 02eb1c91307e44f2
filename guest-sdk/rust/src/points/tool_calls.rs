//! What a hook may do about a tool call.

use serde::Serialize;

use super::{post_tool_call, pre_tool_call};
use crate::types::AskRequest;
use crate::{Error, HookResult};

impl pre_tool_call::Outcome {
    /// Goes on with these arguments, which must make a JSON object.
    ///
    /// # Errors
    ///
    /// The arguments cannot be written as JSON.
    pub fn transform_arguments(arguments: &impl Serialize) -> HookResult<Self> {
        serde_json::to_string(arguments)
            .map(Self::Transform)
            .map_err(|fault| Error::failed(format_args!("arguments: {fault}")))
    }

    /// Gives the model this text; the tool does not run.
    pub fn answer_text(content: impl Into<String>) -> Self {
        Self::Answer(pre_tool_call::ToolAnswer {
            content: content.into(),
            is_error: false,
        })
    }

    /// Has a person decide.
    pub fn ask(question: impl Into<String>) -> Self {
        Self::Ask(AskRequest::new(question))
    }
}

impl post_tool_call::ToolOutput {
    /// The output of a tool that did its work.
    pub fn ok(content: impl Into<String>) -> Self {
        Self {
            content: content.into(),
            is_error: false,
        }
    }
}
