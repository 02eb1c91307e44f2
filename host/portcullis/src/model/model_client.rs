//! Calls to the agent's model on behalf of a hook.

use futures::future::BoxFuture;

use crate::contract::{Completion, Context, ModelError};
use crate::model::hook::HookId;

/// A hook's request to a model.
#[derive(Debug, Clone, Copy)]
pub struct ModelQuery<'a> {
    /// The hook that asks.
    pub hook: &'a HookId,
    /// The call's session, agent, turn and step.
    pub context: &'a Context,
    /// The provider that the operator chose. Default: the first one that the agent calls.
    pub provider: Option<&'a str>,
    /// The model that the operator chose. Default: the agent's own model for the agent's first
    /// provider, and otherwise the provider's default.
    pub model: Option<&'a str>,
    /// The instructions for the model.
    pub instructions: &'a str,
    /// The prompt for the model. It may contain anything that the hook reads.
    pub prompt: &'a str,
    /// The most tokens that the model may write.
    pub max_output_tokens: u32,
}

/// A client that calls the agent's model for hooks that were granted `model`. A call must not run
/// hooks.
pub trait ModelClient: Send + Sync {
    /// Calls the model. Dropping the future ends the call.
    ///
    /// # Errors
    ///
    /// [`ModelError::NoModel`] or [`ModelError::Provider`].
    fn complete<'a>(
        &'a self,
        query: ModelQuery<'a>,
    ) -> BoxFuture<'a, Result<Completion, ModelError>>;
}

/// The client of a host without a model.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoModel;

impl ModelClient for NoModel {
    fn complete<'a>(&'a self, _: ModelQuery<'a>) -> BoxFuture<'a, Result<Completion, ModelError>> {
        let error = ModelError::NoModel("the host has no model for hooks".to_owned());
        Box::pin(std::future::ready(Err(error)))
    }
}
