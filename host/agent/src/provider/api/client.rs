//! The provider.

use std::time::Duration;

use async_trait::async_trait;
use futures::StreamExt as _;
use genai::adapter::AdapterKind;
use genai::chat::{ChatOptions, ChatRequest, ChatStreamEvent, ReasoningEffort};
use genai::resolver::{AuthData, Endpoint};
use genai::{Client, Headers, ModelIden, ServiceTarget};
use portcullis::points::llm_error::ProviderErrorKind;

use super::error::classify;
use super::signatures::Signatures;
use super::{ApiConfig, ApiConfigError, ApiKind, Effort, request, response};
use crate::provider::{Delta, DeltaSink, LlmRequest, LlmResponse, Provider, ProviderError};

/// An OpenAI-compatible or Anthropic endpoint, through the `genai` client.
///
/// Redirects are not followed: they would carry the key to another host.
///
/// A response format is sent as the endpoint defines it: a schema as OpenAI's `json_schema` or
/// Anthropic's structured output, made strict; JSON without a schema as OpenAI's `json_object`.
/// Anthropic has no JSON without a schema, so there the instructions must ask for it.
#[derive(Debug)]
pub struct ApiProvider {
    config: ApiConfig,
    client: Client,
    signatures: Signatures,
}

impl ApiProvider {
    /// A provider for this endpoint. Nothing is sent yet.
    ///
    /// # Errors
    ///
    /// The configuration has no key, or its address is not one.
    pub fn new(config: ApiConfig) -> Result<Self, ApiConfigError> {
        let base_url = config.checked_url()?;
        let auth = auth(&config, base_url.as_deref())?;
        let http = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(Duration::from_millis(config.connect_timeout_ms))
            .tcp_nodelay(true)
            .build()
            .map_err(|e| ApiConfigError::Client(e.to_string()))?;
        let client = Client::builder()
            .with_reqwest(http)
            .with_service_target_resolver_fn(
                move |mut target: ServiceTarget| -> genai::resolver::Result<ServiceTarget> {
                    if let Some(url) = &base_url {
                        target.endpoint = Endpoint::from_owned(url.as_str());
                    }
                    target.auth = auth.clone();
                    Ok(target)
                },
            )
            .build()
            .map_err(|e| ApiConfigError::Client(e.to_string()))?;
        Ok(Self {
            config,
            client,
            signatures: Signatures::default(),
        })
    }

    /// The model, with its namespace, so that the client library does not infer one from the name.
    fn model(&self, name: &str) -> ModelIden {
        let (kind, namespace) = match self.config.kind {
            ApiKind::OpenAi => (AdapterKind::OpenAI, "openai"),
            ApiKind::Anthropic => (AdapterKind::Anthropic, "anthropic"),
        };
        ModelIden::new(kind, format!("{namespace}::{name}"))
    }

    fn options(&self, request: &LlmRequest) -> Result<ChatOptions, ProviderError> {
        let mut options = ChatOptions::default()
            .with_capture_usage(true)
            .with_capture_content(true)
            .with_capture_reasoning_content(true)
            .with_capture_tool_calls(true)
            .with_stream_header_timeout(Duration::from_millis(self.config.first_byte_timeout_ms))
            .with_stream_read_timeout(Duration::from_millis(self.config.idle_timeout_ms));
        options.temperature = request.temperature;
        options.max_tokens = request.max_output_tokens;
        options.reasoning_effort = match (self.config.effort, self.config.kind) {
            (Some(Effort::Low), _) => Some(ReasoningEffort::Low),
            (Some(Effort::Medium), _) => Some(ReasoningEffort::Medium),
            (Some(Effort::High), _) => Some(ReasoningEffort::High),
            // Without it, the client library takes the end of names such as `qwen-max` for an
            // effort and cuts it off. A budget prevents that, and is not sent in OpenAI's protocol.
            (None, ApiKind::OpenAi) => Some(ReasoningEffort::Budget(0)),
            (None, ApiKind::Anthropic) => None,
        };
        options.response_format = request::response_format(request)?;
        // Without the baggage: the endpoint is somebody else's.
        options.extra_headers = request.trace.as_ref().map(|trace| {
            let headers = trace.headers().take(1);
            headers
                .map(|(name, value)| (name.to_owned(), value))
                .collect::<Vec<_>>()
                .into()
        });
        Ok(options)
    }

    async fn streamed(
        &self,
        model: ModelIden,
        built: ChatRequest,
        options: &ChatOptions,
        deltas: &mut dyn DeltaSink,
    ) -> Result<LlmResponse, ProviderError> {
        let mut stream = self
            .client
            .exec_chat_stream(model, built, Some(options))
            .await
            .map_err(|e| classify(&e))?
            .stream;
        while let Some(event) = stream.next().await {
            let flow = match event.map_err(|e| classify(&e))? {
                ChatStreamEvent::Chunk(chunk) => deltas.push(Delta::Text(&chunk.content)).await,
                ChatStreamEvent::ReasoningChunk(chunk) => {
                    deltas.push(Delta::Thinking(&chunk.content)).await
                }
                ChatStreamEvent::End(end) => return Ok(response::of_stream(end, &self.signatures)),
                _ => continue,
            };
            if flow.is_break() {
                return Err(ProviderError::new(
                    ProviderErrorKind::Other,
                    "the rest of the response is not needed",
                ));
            }
        }
        Err(ProviderError::new(
            ProviderErrorKind::Network,
            "the stream ended before the response did",
        ))
    }
}

fn auth(config: &ApiConfig, base_url: Option<&str>) -> Result<AuthData, ApiConfigError> {
    match (config.read_key()?, base_url) {
        (Some(key), _) => Ok(AuthData::Key(key)),
        // Without a key the client library refuses to send. With this it sends none.
        (None, Some(base_url)) => Ok(AuthData::RequestOverride {
            url: match config.kind {
                ApiKind::OpenAi => format!("{base_url}chat/completions"),
                ApiKind::Anthropic => format!("{base_url}messages"),
            },
            headers: match config.kind {
                ApiKind::OpenAi => Headers::default(),
                ApiKind::Anthropic => Headers::from(("anthropic-version", "2023-06-01")),
            },
        }),
        (None, None) => Err(ApiConfigError::KeyNeeded),
    }
}

#[async_trait]
impl Provider for ApiProvider {
    fn default_model(&self) -> &str {
        &self.config.model
    }

    async fn complete(
        &self,
        request: LlmRequest,
        deltas: &mut dyn DeltaSink,
    ) -> Result<LlmResponse, ProviderError> {
        let built = request::build(&request, &self.config, &self.signatures)?;
        let options = self.options(&request)?;
        let model = self.model(&request.model);
        // The messages are in `built` now. If they were held here, the caller would have to copy
        // them.
        drop(request);
        if self.config.stream {
            return self.streamed(model, built, &options, deltas).await;
        }
        let answered = self
            .client
            .exec_chat(model, built, Some(&options))
            .await
            .map_err(|e| classify(&e))?;
        Ok(response::of_response(answered, &self.signatures))
    }
}
