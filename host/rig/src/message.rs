//! Conversion of rig's messages to the contract's messages.

use portcullis::contract::{ContentPart, Message, Role, ToolCall, ToolResult, Usage};
use rig_core::completion::Message as RigMessage;
use rig_core::message::{AssistantContent, ToolResultContent, UserContent};

/// Converts a message. Hooks see only its text, reasoning, tool calls and tool results.
pub(crate) fn message(given: &RigMessage) -> Message {
    match given {
        RigMessage::System { content } => Message {
            role: Role::System,
            content: vec![ContentPart::Text(content.clone())],
        },
        RigMessage::User { content } => Message {
            role: match content.iter().any(is_result) {
                true => Role::Tool,
                false => Role::User,
            },
            content: content.iter().filter_map(said).collect(),
        },
        RigMessage::Assistant(message) => Message {
            role: Role::Assistant,
            content: parts(&message.content),
        },
    }
}

fn is_result(content: &UserContent) -> bool {
    matches!(content, UserContent::ToolResult(_))
}

/// Converts a user's text or a tool's result.
pub(crate) fn said(content: &UserContent) -> Option<ContentPart> {
    match content {
        UserContent::Text(text) => Some(ContentPart::Text(text.text.clone())),
        UserContent::ToolResult(result) => Some(ContentPart::ToolResult(ToolResult {
            call_id: result.call.wire().into_owned(),
            name: result.name.to_string(),
            content: rendered(&result.content),
            is_error: result.is_error,
        })),
        _ => None,
    }
}

/// Returns a tool result as text.
pub(crate) fn rendered(content: &[ToolResultContent]) -> String {
    let texts = content.iter().map(|part| match part {
        ToolResultContent::Text(text) => text.text.clone(),
        ToolResultContent::Json { value } => value.to_string(),
        ToolResultContent::Image(_) => String::new(),
    });
    texts
        .filter(|text| !text.is_empty())
        .collect::<Vec<_>>()
        .join("\n")
}

/// Converts a model's answer to the parts that hooks see.
pub(crate) fn parts(content: &[AssistantContent]) -> Vec<ContentPart> {
    content.iter().filter_map(part).collect()
}

pub(crate) fn part(content: &AssistantContent) -> Option<ContentPart> {
    match content {
        AssistantContent::Text(text) => Some(ContentPart::Text(text.text.clone())),
        AssistantContent::Reasoning(reasoning) => {
            Some(ContentPart::Thinking(reasoning.text.clone()))
        }
        AssistantContent::ToolCall(call) => Some(ContentPart::ToolCall(ToolCall {
            id: call.id.wire().into_owned(),
            name: call.function.name.to_string(),
            arguments: match &call.function.invalid_arguments {
                Some(text) => text.clone(),
                None => serde_json::Value::Object(call.function.arguments.clone()).to_string(),
            },
        })),
        _ => None,
    }
}

/// The usage of a model call.
pub(crate) fn usage(used: &rig_core::completion::Usage) -> Usage {
    Usage {
        input_tokens: used.input_tokens.unwrap_or(0),
        output_tokens: used.output_tokens.unwrap_or(0),
        cache_read_tokens: used.cached_input_tokens.unwrap_or(0),
        cache_write_tokens: used.cache_creation_input_tokens.unwrap_or(0),
    }
}
