//! The provider.

use std::time::Duration;

use async_trait::async_trait;
use futures::StreamExt as _;
use genai::adapter::AdapterKind;
use genai::chat::{ChatOptions, ChatRequest, ChatStreamEvent, ReasoningEffort};
use genai::resolver::{AuthData, Endpoint};
use genai::{Client, Headers, ModelIden, ModelSpec, ServiceTarget};
use portcullis::points::llm_error::ProviderErrorKind;

use super::error::classify;
use super::{ApiConfig, ApiConfigError, ApiKind, Effort, request, response};
use crate::provider::{Delta, DeltaSink, LlmRequest, LlmResponse, Provider, ProviderError};

/// An OpenAI-compatible or Anthropic endpoint, through the `genai` client.
///
/// Redirects are not followed, because they would send the key to another host.
///
/// A response format is sent in the endpoint's form: a schema as OpenAI's `json_schema` or
/// Anthropic's structured output, made strict; JSON without a schema as OpenAI's `json_object`.
/// Anthropic has no JSON without a schema, so the instructions must ask for it.
#[derive(Debug)]
pub struct ApiProvider {
    config: ApiConfig,
    access: Access,
    client: Client,
}

/// The access to the endpoint.
enum Access {
    /// With this key.
    Key(String),
    /// Without a key. The client library then sends the request to the given address with the given
    /// headers.
    Open {
        /// The address of the endpoint.
        base_url: String,
        /// The address that calls are sent to.
        url: String,
        headers: Headers,
    },
}

impl std::fmt::Debug for Access {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Key(_) => "Key",
            Self::Open { .. } => "Open",
        })
    }
}

impl Access {
    fn of(config: &ApiConfig, base_url: Option<&str>) -> Result<Self, ApiConfigError> {
        match (config.read_key()?, base_url) {
            (Some(key), _) => Ok(Self::Key(key)),
            (None, Some(base_url)) => Ok(Self::Open {
                base_url: base_url.to_owned(),
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

    fn key(&self) -> Option<String> {
        match self {
            Self::Key(key) => Some(key.clone()),
            Self::Open { .. } => None,
        }
    }
}

impl ApiProvider {
    /// Creates a provider for this endpoint. Sends nothing.
    ///
    /// # Errors
    ///
    /// The configuration has no key, or its address is not valid.
    pub fn new(config: ApiConfig) -> Result<Self, ApiConfigError> {
        let base_url = config.checked_url()?;
        let access = Access::of(&config, base_url.as_deref())?;
        let key = access.key();
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
                    if let Some(key) = &key {
                        target.auth = AuthData::Key(key.clone());
                    }
                    Ok(target)
                },
            )
            .build()
            .map_err(|e| ApiConfigError::Client(e.to_string()))?;
        Ok(Self {
            config,
            access,
            client,
        })
    }

    /// Returns the model. Its name has a namespace, so that the client library does not infer one
    /// from the name. An endpoint without a key also has an address.
    fn model(&self, name: &str, options: &ChatOptions) -> ModelSpec {
        let (kind, namespace) = match self.config.kind {
            ApiKind::OpenAi => (AdapterKind::OpenAI, "openai"),
            ApiKind::Anthropic => (AdapterKind::Anthropic, "anthropic"),
        };
        let model = ModelIden::new(kind, format!("{namespace}::{name}"));
        match &self.access {
            Access::Key(_) => model.into(),
            Access::Open {
                base_url,
                url,
                headers,
            } => {
                let mut headers = headers.clone();
                if let Some(extra) = &options.extra_headers {
                    headers.merge_with(extra);
                }
                let auth = AuthData::RequestOverride {
                    url: url.clone(),
                    headers,
                };
                let endpoint = Endpoint::from_owned(base_url.as_str());
                ServiceTarget {
                    endpoint,
                    auth,
                    model,
                }
                .into()
            }
        }
    }

    fn options(
        &self,
        request: &LlmRequest,
        may_reason: bool,
    ) -> Result<ChatOptions, ProviderError> {
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
            // Some models reason unless the request forbids it.
            _ if !may_reason => Some(ReasoningEffort::Zero),
            (Some(Effort::Low), _) => Some(ReasoningEffort::Low),
            (Some(Effort::Medium), _) => Some(ReasoningEffort::Medium),
            (Some(Effort::High), _) => Some(ReasoningEffort::High),
            // Otherwise the client library parses the end of names such as `qwen-max` as an effort
            // and removes it. A budget prevents that, and is not sent in OpenAI's protocol.
            (None, ApiKind::OpenAi) => Some(ReasoningEffort::Budget(0)),
            (None, ApiKind::Anthropic) => None,
        };
        options.response_format = request::response_format(request)?;
        // Without the baggage, because the endpoint belongs to another party.
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
        model: ModelSpec,
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
                ChatStreamEvent::End(end) => return Ok(response::of_stream(end, deltas)),
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
        let may_reason = request::may_reason(&request, self.config.kind);
        if !may_reason {
            tracing::warn!(
                model = request.model,
                "the model does not reason for this call: reasoning before its tool calls has no signature, so it \
                 cannot be sent back"
            );
        }
        let built = request::build(&request, &self.config, may_reason)?;
        let options = self.options(&request, may_reason)?;
        let model = self.model(&request.model, &options);
        // The messages are now in `built`. Another reference would force the caller to copy them.
        drop(request);
        if self.config.stream {
            return self.streamed(model, built, &options, deltas).await;
        }
        let answered = self
            .client
            .exec_chat(model, built, Some(&options))
            .await
            .map_err(|e| classify(&e))?;
        Ok(response::of_response(answered, deltas))
    }
}
