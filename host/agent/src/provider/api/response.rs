//! Converts the client library's responses.

use genai::chat::{
    ChatResponse, ContentPart as ApiPart, MessageContent, StopReason as ApiStop, StreamEnd,
    ToolCall as ApiCall, Usage as ApiUsage,
};
use portcullis::contract::{ContentPart, StopReason, ToolCall, Usage};
use serde_json::Value;

use crate::provider::{DeltaSink, LlmResponse, Signature};

/// The type of reasoning that Anthropic does not show.
pub(super) const REDACTED: &str = "redacted_thinking";

/// Converts a whole response.
pub(super) fn of_response(response: ChatResponse, deltas: &mut dyn DeltaSink) -> LlmResponse {
    LlmResponse {
        content: content(response.content, response.reasoning_content, deltas),
        stop: stop(response.stop_reason),
        usage: usage(&response.usage),
    }
}

/// Converts a response whose pieces have been streamed.
pub(super) fn of_stream(end: StreamEnd, deltas: &mut dyn DeltaSink) -> LlmResponse {
    LlmResponse {
        content: content(
            end.captured_content.unwrap_or_default(),
            end.captured_reasoning_content,
            deltas,
        ),
        stop: stop(end.captured_stop_reason),
        usage: end.captured_usage.as_ref().map(usage).unwrap_or(Usage {
            input_tokens: 0,
            output_tokens: 0,
            cache_read_tokens: 0,
            cache_write_tokens: 0,
        }),
    }
}

fn content(
    content: MessageContent,
    reasoning: Option<String>,
    deltas: &mut dyn DeltaSink,
) -> Vec<ContentPart> {
    let mut parts = Vec::new();
    let mut signature = None;
    for part in content.into_parts() {
        match part {
            ApiPart::Text(text) if text.is_empty() => {}
            ApiPart::Text(text) => parts.push(ContentPart::Text(text)),
            ApiPart::ToolCall(call) => parts.push(ContentPart::ToolCall(tool_call(call))),
            // A signature is directly before the reasoning that it signs.
            ApiPart::ThoughtSignature(text) => signature = Some(text),
            ApiPart::ReasoningContent(text) => {
                if let Some(signature) = signature.take() {
                    deltas.sign(&text, Signature::OfText(signature));
                }
                parts.push(ContentPart::Thinking(text));
            }
            ApiPart::Custom(part) if part.typ() == Some(REDACTED) => {
                if let Some(redacted) = part.data.get("data").and_then(Value::as_str) {
                    let redacted = redacted.to_owned();
                    deltas.sign("", Signature::Redacted { redacted });
                    // Redacted reasoning keeps its position, without a text.
                    parts.push(ContentPart::Thinking(String::new()));
                }
            }
            ApiPart::Binary(_) | ApiPart::ToolResponse(_) | ApiPart::Custom(_) => {
                tracing::debug!("a part of a response that the contract does not know is left out");
            }
        }
    }
    let has_thinking = parts
        .iter()
        .any(|part| matches!(part, ContentPart::Thinking(text) if !text.is_empty()));
    if let Some(reasoning) = reasoning
        && !reasoning.is_empty()
        && !has_thinking
    {
        parts.insert(0, ContentPart::Thinking(reasoning));
    }
    parts
}

fn tool_call(call: ApiCall) -> ToolCall {
    ToolCall {
        id: call.call_id,
        name: call.fn_name,
        arguments: match call.fn_arguments {
            // Arguments that do not parse are passed on unchanged.
            Value::String(text) if !text.trim().is_empty() => text,
            Value::String(_) | Value::Null => "{}".to_owned(),
            arguments => arguments.to_string(),
        },
    }
}

fn stop(reason: Option<ApiStop>) -> StopReason {
    match reason {
        None | Some(ApiStop::Completed(_)) => StopReason::EndTurn,
        Some(ApiStop::MaxTokens(_)) => StopReason::MaxTokens,
        Some(ApiStop::ToolCall(_)) => StopReason::ToolUse,
        Some(ApiStop::ContentFilter(_)) => StopReason::Refusal,
        Some(ApiStop::StopSequence(_)) => StopReason::StopSequence,
        Some(ApiStop::Other(words)) => StopReason::Other(words),
    }
}

fn usage(usage: &ApiUsage) -> Usage {
    let count = |n: Option<i32>| u64::try_from(n.unwrap_or(0)).unwrap_or(0);
    let details = usage.prompt_tokens_details.as_ref();
    Usage {
        input_tokens: count(usage.prompt_tokens),
        output_tokens: count(usage.completion_tokens),
        cache_read_tokens: count(details.and_then(|d| d.cached_tokens)),
        cache_write_tokens: count(details.and_then(|d| d.cache_creation_tokens)),
    }
}
