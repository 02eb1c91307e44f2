//! One response of a script.

use std::time::Duration;

use portcullis::contract::{ContentPart, StopReason, ToolCall, Usage};
use portcullis::points::llm_error::ProviderErrorKind;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::basics::stop_reason;
use crate::provider::ProviderError;
use crate::provider::error::{kind_from_name, kind_names};

/// A response of a script.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ScriptedResponse {
    /// The text.
    pub text: Option<String>,
    /// The reasoning, given before the text.
    pub thinking: Option<String>,
    /// The tool calls, given after the text.
    pub tool_calls: Vec<ScriptedToolCall>,
    /// The tokens of the call. Default: an estimate, a quarter of the characters.
    pub usage: Option<ScriptedUsage>,
    /// Why the model stopped: `end-turn`, `max-tokens`, `stop-sequence`, `tool-use`, `refusal` or
    /// any other text. Default: `tool-use` if there are tool calls, else `end-turn`.
    pub stop: Option<String>,
    /// The call fails with this instead.
    pub error: Option<ScriptedError>,
    /// How long to wait before the response starts, in milliseconds. Default: 0.
    pub delay_ms: u64,
    /// The number of characters in a streamed piece. Default: all.
    pub chunk: Option<std::num::NonZeroUsize>,
    /// How long to wait between pieces, in milliseconds. Default: 0.
    pub chunk_delay_ms: u64,
    /// The text that the last message (text and tool results) must contain; else the call fails.
    pub expect: Option<String>,
    /// The text that no message may contain; else the call fails.
    pub expect_absent: Option<String>,
}

/// A tool call of a script.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScriptedToolCall {
    /// The tool.
    pub name: String,
    /// The arguments; a string is used as it is, so that broken JSON can be scripted.
    #[serde(default = "no_arguments")]
    pub arguments: Value,
    /// The id. Default: a generated one.
    #[serde(default)]
    pub id: Option<String>,
}

fn no_arguments() -> Value {
    Value::Object(serde_json::Map::new())
}

/// Tokens used, as a script says.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ScriptedUsage {
    /// Tokens sent.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// Tokens read from the cache.
    pub cache_read_tokens: u64,
    /// Tokens written to the cache.
    pub cache_write_tokens: u64,
}

/// A scripted failure.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScriptedError {
    /// The kind, by its name in WIT, such as `rate-limited`.
    pub kind: String,
    /// The HTTP status.
    #[serde(default)]
    pub status: Option<u16>,
    /// How long the provider asks to wait, in milliseconds.
    #[serde(default)]
    pub retry_after_ms: Option<u64>,
    /// The message. Default: `scripted failure`.
    #[serde(default)]
    pub message: Option<String>,
}

impl ScriptedResponse {
    /// Creates a response with this text.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: Some(text.into()),
            ..Self::default()
        }
    }

    /// Checks the rules that the type does not express.
    ///
    /// # Errors
    ///
    /// Returns the problem, as the end of a sentence that begins with the response's position:
    /// `has both an …`.
    pub fn check(&self) -> Result<(), String> {
        let says = self.text.is_some() || self.thinking.is_some() || !self.tool_calls.is_empty();
        match &self.error {
            None => Ok(()),
            Some(_) if says => Err("has both an `error` and something to say".into()),
            Some(error) if kind_from_name(&error.kind).is_none() => Err(format!(
                "has the error kind `{}`, which is none of: {}",
                error.kind,
                kind_names()
            )),
            Some(_) => Ok(()),
        }
    }

    /// Returns the content, with generated ids that start with `prefix`.
    pub(super) fn content(&self, prefix: &str) -> Vec<ContentPart> {
        let thinking = self.thinking.iter().cloned().map(ContentPart::Thinking);
        let text = self.text.iter().cloned().map(ContentPart::Text);
        let calls = self.tool_calls.iter().enumerate().map(|(index, call)| {
            ContentPart::ToolCall(ToolCall {
                id: call
                    .id
                    .clone()
                    .unwrap_or_else(|| format!("{prefix}-{}", index + 1)),
                name: call.name.clone(),
                arguments: match &call.arguments {
                    Value::String(text) => text.clone(),
                    value => value.to_string(),
                },
            })
        });
        thinking.chain(text).chain(calls).collect()
    }

    pub(super) fn stop(&self) -> StopReason {
        match &self.stop {
            Some(name) => stop_reason::from_name(name),
            None if self.tool_calls.is_empty() => StopReason::EndTurn,
            None => StopReason::ToolUse,
        }
    }
}

impl From<ScriptedUsage> for Usage {
    fn from(usage: ScriptedUsage) -> Self {
        Self {
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            cache_read_tokens: usage.cache_read_tokens,
            cache_write_tokens: usage.cache_write_tokens,
        }
    }
}

impl ScriptedError {
    pub(super) fn to_error(&self) -> ProviderError {
        let kind = kind_from_name(&self.kind).unwrap_or(ProviderErrorKind::Other);
        let message = self.message.as_deref().unwrap_or("scripted failure");
        ProviderError {
            status: self.status,
            ..ProviderError::new(kind, message)
        }
        .with_retry_after(self.retry_after_ms.map(Duration::from_millis))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_comes_in_the_order_models_give_it() {
        let response: ScriptedResponse = serde_json::from_str(
            r#"{"tool_calls": [{"name": "a"}, {"name": "b", "arguments": "{broken", "id": "x"}],
                "text": "t", "thinking": "h"}"#,
        )
        .unwrap();
        assert_eq!(response.stop(), StopReason::ToolUse);
        let content = response.content("call-1");
        assert_eq!(
            content,
            [
                ContentPart::Thinking("h".into()),
                ContentPart::Text("t".into()),
                ContentPart::ToolCall(ToolCall {
                    id: "call-1-1".into(),
                    name: "a".into(),
                    arguments: "{}".into()
                }),
                ContentPart::ToolCall(ToolCall {
                    id: "x".into(),
                    name: "b".into(),
                    arguments: "{broken".into()
                }),
            ]
        );
    }
}
