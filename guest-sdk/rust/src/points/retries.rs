//! What a hook may do about a failed model call.

use super::llm_error::{Outcome, ProviderChoice, RetryDecision};

impl Outcome {
    /// Calls the same provider again after this many milliseconds.
    pub fn retry(after_ms: u32) -> Self {
        Self::Replace(RetryDecision::Retry(after_ms))
    }

    /// Calls another provider, with its own default model.
    pub fn switch_to(provider: impl Into<String>) -> Self {
        Self::Replace(RetryDecision::SwitchProvider(ProviderChoice {
            provider: provider.into(),
            model: None,
        }))
    }

    /// Lets the step fail.
    pub fn give_up() -> Self {
        Self::Replace(RetryDecision::GiveUp)
    }
}
