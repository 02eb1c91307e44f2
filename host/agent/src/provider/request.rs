//! Model calls and responses.

use std::sync::Arc;

use async_trait::async_trait;
use portcullis::contract::Message;
use portcullis::points::prompt_compile::ResponseFormat;
use portcullis::tools::ToolCatalog;
use portcullis::trace::TraceContext;

use super::{DeltaSink, ProviderError, Signatures};

pub use portcullis::points::pre_llm_call::LlmResponse;

/// One model call. Messages and tools are shared, not copied.
#[derive(Debug, Clone)]
pub struct LlmRequest {
    /// The model.
    pub model: String,
    /// The messages, oldest first.
    pub messages: Arc<Vec<Message>>,
    /// The signatures of the messages' reasoning, as [`DeltaSink::sign`] received them.
    pub signatures: Arc<Signatures>,
    /// The tools that the model is offered.
    pub tools: Arc<ToolCatalog>,
    /// The sampling temperature. Default: the provider's own.
    pub temperature: Option<f64>,
    /// The maximum number of tokens that the model may write. Default: the provider's own.
    pub max_output_tokens: Option<u32>,
    /// The format of the answer. Default: any.
    pub response_format: Option<ResponseFormat>,
    /// The span of the call, for the endpoint. Default: none.
    pub trace: Option<TraceContext>,
}

/// An endpoint for model calls.
#[async_trait]
pub trait Provider: Send + Sync {
    /// Returns the default model.
    fn default_model(&self) -> &str;

    /// Calls a model. Passes the pieces of the response to `deltas` as they arrive, and returns the
    /// whole response. Dropping the future ends the call.
    ///
    /// # Errors
    ///
    /// The failure, with its kind. Pieces that were passed to `deltas` are void.
    async fn complete(
        &self,
        request: LlmRequest,
        deltas: &mut dyn DeltaSink,
    ) -> Result<LlmResponse, ProviderError>;
}
