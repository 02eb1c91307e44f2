//! What a provider is asked and gives back.

use std::sync::Arc;

use async_trait::async_trait;
use portcullis::ToolCatalog;
use portcullis::contract::Message;
use portcullis::points::prompt_compile::ResponseFormat;

use super::{DeltaSink, ProviderError};

pub use portcullis::points::pre_llm_call::LlmResponse;

/// One model call. Messages and tools are shared, not copied.
#[derive(Debug, Clone)]
pub struct LlmRequest {
    /// The model.
    pub model: String,
    /// The messages, oldest first.
    pub messages: Arc<Vec<Message>>,
    /// The tools the model is offered.
    pub tools: Arc<ToolCatalog>,
    /// The sampling temperature; the provider's default if left out.
    pub temperature: Option<f64>,
    /// The most tokens the model may write; the provider's default if left out.
    pub max_output_tokens: Option<u32>,
    /// How the model must answer; in any way if left out.
    pub response_format: Option<ResponseFormat>,
}

/// A place where models can be called.
#[async_trait]
pub trait Provider: Send + Sync {
    /// The model to call when nobody names one.
    fn default_model(&self) -> &str;

    /// Calls a model. Pieces of the response go to `deltas` as they come; the response as a whole
    /// is given back. Dropping the future ends the call.
    ///
    /// # Errors
    ///
    /// Any failure, classified; what was already pushed to `deltas` does not count then.
    async fn complete(
        &self,
        request: LlmRequest,
        deltas: &mut dyn DeltaSink,
    ) -> Result<LlmResponse, ProviderError>;
}
