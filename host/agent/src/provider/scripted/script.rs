//! The script's format.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use portcullis::contract::{ContentPart, StopReason, ToolCall, Usage};
use serde::Deserialize;
use serde_json::Value;

use super::ScriptedProvider;
use crate::provider::error::{kind_from_name, kind_names};
use crate::provider::{Provider, ProviderError, Providers};

/// The name of the provider of a script that names none.
const ONLY_NAME: &str = "scripted";

/// The model of a script that names none.
const ANY_MODEL: &str = "scripted";

/// A script: for each provider, by name and in order, the responses it gives, one for each call.
///
/// ```
/// use portcullis_agent::Script;
///
/// let script = Script::parse(r#"{
///   "providers": [
///     {
///       "name": "main",
///       "model": "large-1",
///       "responses": [
///         {
///           "thinking": "I should look.",
///           "text": "Let me see.",
///           "tool_calls": [{ "name": "read_file", "arguments": { "path": "notes.txt" } }],
///           "usage": { "input_tokens": 120, "output_tokens": 25 }
///         },
///         { "error": { "kind": "overloaded", "status": 529, "retry_after_ms": 200 } }
///       ]
///     },
///     {
///       "name": "backup",
///       "responses": [
///         { "expect": "buy milk", "text": "You want to buy milk.", "chunk": 8, "delay_ms": 50 }
///       ]
///     }
///   ]
/// }"#)?;
/// assert_eq!(script.providers().names().collect::<Vec<_>>(), ["main", "backup"]);
/// # Ok::<(), portcullis_agent::ScriptError>(())
/// ```
///
/// A script of one provider may leave the list out: `{ "responses": [ … ] }`; the provider is then
/// called `scripted`. Every model call takes the next response of its provider, the calls that
/// write the summary of a compaction included. When there is none left, the call fails and says so.
#[derive(Debug, Clone)]
pub struct Script {
    providers: Vec<(String, Arc<ScriptedProvider>)>,
}

/// A response of a script, checked.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ScriptedResponse {
    /// The text.
    pub text: Option<String>,
    /// The reasoning, given before the text.
    pub thinking: Option<String>,
    /// The tool calls, given after the text.
    pub tool_calls: Vec<ScriptedToolCall>,
    /// What the call used. Left out, it is estimated: a quarter of the characters.
    pub usage: Option<ScriptedUsage>,
    /// Why the model stopped: `end-turn`, `max-tokens`, `stop-sequence`, `tool-use`, `refusal` or
    /// any other text. Left out, `tool-use` if there are tool calls, else `end-turn`.
    pub stop: Option<String>,
    /// The call fails with this instead.
    pub error: Option<ScriptedError>,
    /// How long to wait before anything happens, in milliseconds. Default: 0.
    pub delay_ms: u64,
    /// How many characters of text are streamed at once. Default: all.
    pub chunk: Option<std::num::NonZeroUsize>,
    /// How long to wait between pieces, in milliseconds. Default: 0.
    pub chunk_delay_ms: u64,
    /// What the last message must contain (text and tool results); else the call fails.
    pub expect: Option<String>,
    /// What no message may contain; else the call fails.
    pub expect_absent: Option<String>,
}

/// A tool call of a script.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptedToolCall {
    /// The tool.
    pub name: String,
    /// The arguments; a string is used as it is, so that broken JSON can be scripted.
    #[serde(default = "no_arguments")]
    pub arguments: Value,
    /// The id; made up if left out.
    #[serde(default)]
    pub id: Option<String>,
}

fn no_arguments() -> Value {
    Value::Object(serde_json::Map::new())
}

/// Tokens used, as a script says.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
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
#[derive(Debug, Clone, Deserialize)]
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
    /// The provider's words. Default: `scripted failure`.
    #[serde(default)]
    pub message: Option<String>,
}

/// A script that cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// The file cannot be read.
    #[error("cannot read the script {}: {cause}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: std::io::Error,
    },
    /// It is not JSON of the right shape.
    #[error("the script is not what it should be: {0}")]
    Parse(#[from] serde_json::Error),
    /// It has the right shape and makes no sense.
    #[error("the script makes no sense: {0}")]
    Invalid(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    providers: Option<Vec<FileProvider>>,
    #[serde(default)]
    model: Option<String>,
    #[serde(default)]
    responses: Option<Vec<ScriptedResponse>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileProvider {
    name: String,
    #[serde(default)]
    model: Option<String>,
    responses: Vec<ScriptedResponse>,
}

impl Script {
    /// Reads a script.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, or is no script.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, ScriptError> {
        let path = path.as_ref();
        let text = fs::read_to_string(path).map_err(|cause| ScriptError::Read {
            path: path.to_owned(),
            cause,
        })?;
        Self::parse(&text)
    }

    /// Parses a script.
    ///
    /// # Errors
    ///
    /// A text that is no script.
    pub fn parse(text: &str) -> Result<Self, ScriptError> {
        let file: File = serde_json::from_str(text)?;
        let listed = match (file.providers, file.responses) {
            (Some(providers), None) if file.model.is_none() => providers,
            (None, Some(responses)) => vec![FileProvider {
                name: ONLY_NAME.into(),
                model: file.model,
                responses,
            }],
            _ => {
                return Err(ScriptError::Invalid(
                    "give either `providers`, each with its `model` and `responses`, or \
                     `responses` (and perhaps `model`) alone"
                        .into(),
                ));
            }
        };
        let mut names = BTreeSet::new();
        let mut providers = Vec::with_capacity(listed.len());
        for FileProvider {
            name,
            model,
            responses,
        } in listed
        {
            if !names.insert(name.clone()) {
                return Err(ScriptError::Invalid(format!(
                    "two providers are called `{name}`"
                )));
            }
            for (index, response) in responses.iter().enumerate() {
                response.check().map_err(|what| {
                    ScriptError::Invalid(format!(
                        "response {} of provider `{name}` {what}",
                        index + 1
                    ))
                })?;
            }
            let model = model.unwrap_or_else(|| ANY_MODEL.into());
            let provider = ScriptedProvider::new(&name, model, responses);
            providers.push((name, Arc::new(provider)));
        }
        Ok(Self { providers })
    }

    /// The providers, each at the start of its script.
    pub fn providers(&self) -> Providers {
        let mut set = Providers::new();
        for (name, provider) in &self.providers {
            set.push(name.clone(), provider.clone() as Arc<dyn Provider>);
        }
        set
    }

    /// How many responses nobody has taken yet, over all providers. A test that ends with some left
    /// has not done what its script says.
    pub fn left(&self) -> usize {
        self.providers.iter().map(|(_, p)| p.left()).sum()
    }
}

impl ScriptedResponse {
    /// A response that says this.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: Some(text.into()),
            ..Self::default()
        }
    }

    /// What is wrong with it.
    fn check(&self) -> Result<(), String> {
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

    /// The content, with made-up ids that begin with `prefix`.
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
        match self.stop.as_deref() {
            Some("end-turn") => StopReason::EndTurn,
            Some("max-tokens") => StopReason::MaxTokens,
            Some("stop-sequence") => StopReason::StopSequence,
            Some("tool-use") => StopReason::ToolUse,
            Some("refusal") => StopReason::Refusal,
            Some(other) => StopReason::Other(other.to_owned()),
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
        let kind = kind_from_name(&self.kind)
            .unwrap_or(portcullis::points::llm_error::ProviderErrorKind::Other);
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
    fn nonsense_is_refused_with_its_place() {
        for (text, says) in [
            ("{}", "either `providers`"),
            (
                r#"{"providers": [], "responses": []}"#,
                "either `providers`",
            ),
            (r#"{"providers": [], "model": "m"}"#, "either `providers`"),
            (
                r#"{"responses": [{"text": "a"}, {"text": "b", "error": {"kind": "other"}}]}"#,
                "response 2 of provider `scripted` has both",
            ),
            (
                r#"{"responses": [{"error": {"kind": "busy"}}]}"#,
                "`busy`, which is none of: timeout, rate-limited",
            ),
            (
                r#"{"providers": [{"name": "a", "responses": []}, {"name": "a", "responses": []}]}"#,
                "two providers are called `a`",
            ),
            (r#"{"responses": [{"txt": "a"}]}"#, "unknown field `txt`"),
            (r#"{"responses": [{"chunk": 0}]}"#, "nonzero"),
        ] {
            let error = Script::parse(text).unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
    }

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
