//! A guarded model call: pre-llm-call → provider → post-llm-call, and llm-error where the provider
//! fails.
//!
//! All model calls go this way, those that write the summary of a compaction included. Every
//! attempt is a call of its own: it starts from the same messages and settings, and all hooks see
//! it. What `pre-llm-call` hooks change holds for the attempt only; the conversation stays as it
//! is. An answer of theirs stands in for the model's, so `post-llm-call` fires for it too.

mod attempt;
mod failure;
mod retry;

use std::sync::Arc;

use portcullis::contract::{ContentPart, Message, StopReason, StopSignal};
use portcullis::{HookId, ToolCatalog};

use self::attempt::Missed;
use self::failure::Next;
use super::running::Running;
use crate::error::TurnError;
use crate::events::CallPurpose;

/// What a model is to be asked.
pub(super) struct Asked {
    pub(super) messages: Arc<Vec<Message>>,
    pub(super) tools: Arc<ToolCatalog>,
    pub(super) max_output_tokens: Option<u32>,
    pub(super) estimated_tokens: u64,
    pub(super) purpose: CallPurpose,
}

/// What came of it, as the hooks left it.
pub(super) struct Got {
    pub(super) content: Vec<ContentPart>,
    pub(super) stop: StopReason,
    /// The hook that cut the response off to end the turn, if one did.
    pub(super) stopped: Option<(HookId, StopSignal)>,
    /// The tools that were offered. The model may ask for others; it does not get them.
    pub(super) offered: Arc<ToolCatalog>,
    /// The tokens of messages and response, where the provider counted them.
    pub(super) real_tokens: Option<u64>,
}

/// Whom to call.
#[derive(Debug, Clone)]
struct Target {
    provider: String,
    model: String,
}

impl Running {
    /// Calls a model, with as many attempts as hooks and configuration want.
    pub(super) async fn call_model(&mut self, asked: Asked) -> Result<Got, TurnError> {
        let mut target = Target {
            provider: self.shared.provider.clone(),
            model: self.shared.model.clone(),
        };
        let mut attempt = 1;
        let mut own_retries = 0;
        loop {
            let (model, error) = match self.attempt(&asked, &target, attempt).await {
                Ok(got) => return Ok(got),
                Err(Missed::Turn(error)) => return Err(error),
                Err(Missed::Provider { model, error }) => (model, error),
            };
            let failed = Target {
                provider: target.provider.clone(),
                model,
            };
            match self
                .after_failure(&failed, &target, attempt, &mut own_retries, &error)
                .await?
            {
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
}
