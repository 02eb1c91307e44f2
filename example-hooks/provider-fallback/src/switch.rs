//! Remembering the last switch: attempts are counted over all providers of a call.

use portcullis_sdk::points::llm_error::LlmFailure;
use serde::{Deserialize, Serialize};

/// A switch to another provider.
#[derive(Debug, Deserialize, Serialize)]
pub struct Switch {
    /// The turn and the step of the call.
    step: (u32, u32),
    provider: String,
    /// The attempt that failed before the switch.
    after: u32,
}

impl Switch {
    /// Creates the switch that follows this failure.
    pub fn to(provider: &str, step: (u32, u32), failure: &LlmFailure) -> Self {
        Self {
            step,
            provider: provider.to_owned(),
            after: failure.attempt,
        }
    }

    /// Returns how often the failed provider has been called, if this is the last switch.
    pub fn tries_since(&self, step: (u32, u32), failure: &LlmFailure) -> u32 {
        let is_of_this_call =
            self.step == step && self.provider == failure.provider && self.after < failure.attempt;
        if is_of_this_call {
            failure.attempt - self.after
        } else {
            failure.attempt
        }
    }
}
