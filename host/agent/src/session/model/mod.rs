//! A guarded model call: pre-llm-call → provider → post-llm-call, and llm-error if the provider
//! fails.
//!
//! All model calls are made here, including calls for a compaction's summary. Every attempt is a
//! separate call: it starts from the same messages and settings, and all hooks see it. Changes by
//! `pre-llm-call` hooks apply to the attempt only; the conversation stays unchanged. If the hooks
//! answer in place of the model, `post-llm-call` fires for the answer.

mod attempt;
mod call_ids;
mod deltas;
mod failure;
mod retry;

use std::sync::Arc;

use portcullis::HookId;
use portcullis::contract::{ContentPart, Message, StopReason, StopSignal};
use portcullis::tools::ToolCatalog;

use self::attempt::AttemptError;
use self::failure::Next;
use super::state::SessionState;
use crate::events::CallPurpose;
use crate::exchange::TurnError;
use crate::provider::Signatures;

/// A request to a model.
pub(crate) struct ModelRequest {
    pub(crate) messages: Arc<Vec<Message>>,
    pub(crate) tools: Arc<ToolCatalog>,
    pub(crate) max_output_tokens: Option<u32>,
    pub(crate) estimated_tokens: u64,
    pub(crate) purpose: CallPurpose,
}

/// A model's response after the hooks have run.
pub(crate) struct ModelResponse {
    pub(crate) content: Vec<ContentPart>,
    /// The signatures of the response's reasoning, as the provider sent them.
    pub(crate) signatures: Signatures,
    pub(crate) stop: StopReason,
    /// The hook that cut the response off to stop the turn, if one did.
    pub(crate) stopped: Option<(HookId, StopSignal)>,
    /// The tools that were offered. The model may call others, but they do not run.
    pub(crate) offered: Arc<ToolCatalog>,
    /// The tokens of messages and response, if the provider counted them.
    pub(crate) real_tokens: Option<u64>,
}

/// The provider and model to call.
#[derive(Debug, Clone)]
struct Target {
    provider: String,
    model: String,
}

/// Calls a model, with as many attempts as hooks and configuration allow.
pub(crate) async fn call(
    session: &mut SessionState,
    request: ModelRequest,
) -> Result<ModelResponse, TurnError> {
    let mut target = Target {
        provider: session.shared.provider.clone(),
        model: session.shared.model.clone(),
    };
    let mut attempt = 1;
    let mut own_retries = 0;
    loop {
        let (model, error) = match attempt::make(session, &request, &target, attempt).await {
            Ok(response) => return Ok(response),
            Err(AttemptError::Turn(error)) => return Err(error),
            Err(AttemptError::Provider { model, error }) => (model, error),
        };
        let failed = Target {
            provider: target.provider.clone(),
            model,
        };
        let next =
            failure::handle(session, &failed, &target, attempt, &mut own_retries, &error).await?;
        match next {
            Next::Again(next) => target = next,
            Next::GiveUp(gave_up) => {
                return Err(TurnError::Provider {
                    provider: failed.provider,
                    model: failed.model,
                    attempts: attempt,
                    error,
                    gave_up,
                });
            }
        }
        attempt += 1;
    }
}
