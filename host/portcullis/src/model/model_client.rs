//! Asking the agent's model on behalf of a hook.

use futures::future::BoxFuture;

use crate::contract::{Completion, Context, ModelError};
use crate::model::hook::HookId;

/// What a hook asks a model.
#[derive(Debug, Clone, Copy)]
pub struct ModelQuery<'a> {
    /// The hook that asks.
    pub hook: &'a HookId,
    /// Where in the agent's life.
    pub context: &'a Context,
    /// The provider that the operator chose. Default: the one that the agent calls first.
    pub provider: Option<&'a str>,
    /// The model that the operator chose. Default: the agent's own with its first provider, else the
    /// provider's default.
    pub model: Option<&'a str>,
    /// What the model should do.
    pub instructions: &'a str,
    /// What it is given. It may hold anything that the hook reads.
    pub prompt: &'a str,
    /// The most tokens that it may write.
    pub max_output_tokens: u32,
}

/// Whoever asks the agent's model for hooks that were granted `model`. A call must run no hooks.
pub trait ModelClient: Send + Sync {
    /// Asks the model. Dropping the future ends the call.
    ///
    /// # Errors
    ///
    /// [`ModelError::NoModel`] or [`ModelError::Provider`].
    fn complete<'a>(
        &'a self,
        query: ModelQuery<'a>,
    ) -> BoxFuture<'a, Result<Completion, ModelError>>;
}

/// The client of a host that has no model.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoModel;

impl ModelClient for NoModel {
    fn complete<'a>(&'a self, _: ModelQuery<'a>) -> BoxFuture<'a, Result<Completion, ModelError>> {
        let error = ModelError::NoModel("the host has no model for hooks".to_owned());
        Box::pin(std::future::ready(Err(error)))
    }
}
