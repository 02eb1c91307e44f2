//! Plays a script.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use portcullis::contract::{ContentPart, Message, Usage};
use portcullis::points::llm_error::ProviderErrorKind;

use super::ScriptedResponse;
use crate::basics::{text, tokens};
use crate::provider::{Delta, DeltaSink, LlmRequest, LlmResponse, Provider, ProviderError};

/// The maximum number of bytes of a message in the error of an unmet expectation.
const QUOTED: usize = 300;

/// A provider that returns the responses of a script, one for each call, in order.
#[derive(Debug)]
pub struct ScriptedProvider {
    name: String,
    model: String,
    responses: Vec<ScriptedResponse>,
    repeats: bool,
    next: AtomicUsize,
}

impl ScriptedProvider {
    /// Creates a provider at the start of its script. Its errors contain `name`.
    pub fn new(
        name: impl Into<String>,
        model: impl Into<String>,
        responses: Vec<ScriptedResponse>,
    ) -> Self {
        Self {
            name: name.into(),
            model: model.into(),
            responses,
            repeats: false,
            next: AtomicUsize::new(0),
        }
    }

    /// Makes the provider begin again after its last response.
    #[must_use]
    pub fn repeating(self) -> Self {
        Self {
            repeats: true,
            ..self
        }
    }

    /// Returns a provider at the start of the same script.
    pub(super) fn again(&self) -> Self {
        Self::new(&self.name, &self.model, self.responses.clone())
    }

    /// Returns the number of remaining responses.
    pub fn left(&self) -> usize {
        self.responses
            .len()
            .saturating_sub(self.next.load(Ordering::Relaxed))
    }

    /// Returns an error that is not retried, so that it is noticed.
    fn broken(&self, call: usize, what: &str) -> ProviderError {
        ProviderError::new(
            ProviderErrorKind::BadRequest,
            format!("script of provider `{}`, call {call}: {what}", self.name),
        )
    }

    fn check(
        &self,
        call: usize,
        entry: &ScriptedResponse,
        messages: &[Message],
    ) -> Result<(), ProviderError> {
        if let Some(expected) = &entry.expect {
            let last = messages.last().map(said).unwrap_or_default();
            if !last.contains(expected.as_str()) {
                return Err(self.broken(
                    call,
                    &format!(
                        "expects `{expected}` in the last message, which is: {}",
                        text::cut(&last, QUOTED)
                    ),
                ));
            }
        }
        if let Some(unwanted) = &entry.expect_absent
            && let Some(index) = messages
                .iter()
                .position(|message| said(message).contains(unwanted.as_str()))
        {
            return Err(self.broken(
                call,
                &format!("expects `{unwanted}` in no message, but it is in message {index}"),
            ));
        }
        Ok(())
    }
}

#[async_trait]
impl Provider for ScriptedProvider {
    fn default_model(&self) -> &str {
        &self.model
    }

    async fn complete(
        &self,
        request: LlmRequest,
        deltas: &mut dyn DeltaSink,
    ) -> Result<LlmResponse, ProviderError> {
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        let call = index + 1;
        let index = match self.repeats {
            true => index.checked_rem(self.responses.len()).unwrap_or(index),
            false => index,
        };
        let Some(entry) = self.responses.get(index) else {
            return Err(self.broken(
                call,
                &format!("it has run out after {} responses", self.responses.len()),
            ));
        };
        wait(entry.delay_ms).await;
        self.check(call, entry, &request.messages)?;
        if let Some(error) = &entry.error {
            return Err(error.to_error());
        }
        let content = entry.content(&format!("{}-{call}", self.name));
        if stream(entry, &content, deltas).await.is_break() {
            return Err(self.broken(call, "the rest of the response is not needed"));
        }
        let usage = entry.usage.map_or_else(
            || Usage {
                input_tokens: tokens::of_messages(&request.messages),
                output_tokens: content.iter().map(tokens::of_part).sum(),
                cache_read_tokens: 0,
                cache_write_tokens: 0,
            },
            Usage::from,
        );
        Ok(LlmResponse {
            content,
            stop: entry.stop(),
            usage,
        })
    }
}

async fn stream(
    entry: &ScriptedResponse,
    content: &[ContentPart],
    deltas: &mut dyn DeltaSink,
) -> ControlFlow<()> {
    for part in content {
        let (text, delta): (&str, fn(&str) -> Delta<'_>) = match part {
            ContentPart::Text(text) => (text, |text| Delta::Text(text)),
            ContentPart::Thinking(text) => (text, |text| Delta::Thinking(text)),
            _ => continue,
        };
        let size = entry.chunk.map_or(usize::MAX, std::num::NonZeroUsize::get);
        let mut rest = text;
        while !rest.is_empty() {
            let end = rest
                .char_indices()
                .nth(size)
                .map_or(rest.len(), |(end, _)| end);
            let (piece, after) = rest.split_at(end);
            deltas.push(delta(piece)).await?;
            rest = after;
            if !rest.is_empty() {
                wait(entry.chunk_delay_ms).await;
            }
        }
    }
    ControlFlow::Continue(())
}

async fn wait(ms: u64) {
    if ms > 0 {
        tokio::time::sleep(Duration::from_millis(ms)).await;
    }
}

/// Returns the text of a message and its tool results.
fn said(message: &Message) -> String {
    message
        .content
        .iter()
        .filter_map(|part| match part {
            ContentPart::Text(text) => Some(text.as_str()),
            ContentPart::ToolResult(result) => Some(result.content.as_str()),
            _ => None,
        })
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;
    use futures::future::BoxFuture;
    use std::sync::Arc;

    use portcullis::contract::Role;

    use super::*;
    use crate::provider::{NoDeltas, Script};

    fn asks(text: &str) -> LlmRequest {
        LlmRequest {
            model: "m".into(),
            messages: Arc::new(vec![Message {
                role: Role::User,
                content: vec![ContentPart::Text(text.into())],
            }]),
            signatures: Arc::default(),
            tools: Arc::default(),
            temperature: None,
            max_output_tokens: None,
            response_format: None,
            trace: None,
        }
    }

    #[derive(Default)]
    struct Pieces(Vec<String>);

    impl DeltaSink for Pieces {
        fn push<'a>(&'a mut self, delta: Delta<'a>) -> BoxFuture<'a, ControlFlow<()>> {
            let (Delta::Text(text) | Delta::Thinking(text)) = delta;
            self.0.push(text.into());
            std::future::ready(ControlFlow::Continue(())).boxed()
        }
    }

    #[tokio::test]
    async fn plays_in_order_and_reports_its_end() {
        let script = Script::parse(
            r#"{"responses": [
                {"text": "héllo", "chunk": 2},
                {"error": {"kind": "rate-limited", "status": 429, "retry_after_ms": 5}}
            ]}"#,
        )
        .unwrap();
        let providers = script.providers();
        let (_, provider) = providers.first().unwrap();
        let mut pieces = Pieces::default();
        let response = provider.complete(asks("hi"), &mut pieces).await.unwrap();
        assert_eq!(pieces.0, ["hé", "ll", "o"]);
        assert_eq!(response.content, [ContentPart::Text("héllo".into())]);
        assert!(response.usage.input_tokens > 0 && response.usage.output_tokens > 0);

        let error = provider
            .complete(asks("hi"), &mut NoDeltas)
            .await
            .unwrap_err();
        assert_eq!(error.kind, ProviderErrorKind::RateLimited);
        assert_eq!(error.retry_after, Some(Duration::from_millis(5)));
        assert_eq!(script.left(), 0);

        let error = provider
            .complete(asks("hi"), &mut NoDeltas)
            .await
            .unwrap_err();
        assert!(
            error.message.contains("call 3: it has run out after 2"),
            "{error}"
        );
        assert!(!error.is_temporary());
    }

    #[tokio::test]
    async fn unmet_expectations_fail_the_call() {
        let script = Script::parse(
            r#"{"responses": [
                {"expect": "milk", "text": "a"},
                {"expect_absent": "secret", "text": "b"},
                {"expect": "tea", "expect_absent": "milk", "text": "c"}
            ]}"#,
        )
        .unwrap();
        let providers = script.providers();
        let (_, provider) = providers.first().unwrap();
        let error = provider
            .complete(asks("buy tea"), &mut NoDeltas)
            .await
            .unwrap_err();
        assert!(
            error.message.contains("`milk`") && error.message.contains("buy tea"),
            "{error}"
        );
        let error = provider
            .complete(asks("a secret"), &mut NoDeltas)
            .await
            .unwrap_err();
        assert!(error.message.contains("in message 0"), "{error}");
        assert!(
            provider
                .complete(asks("buy tea"), &mut NoDeltas)
                .await
                .is_ok()
        );
    }
}
