//! `grants.model`: the model that a hook may ask, and its token budget.

use std::num::NonZeroU64;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The model that a hook may ask, and its token budget.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ModelGrant {
    /// The most tokens of all its calls in a turn, those of prompts and those of answers.
    pub tokens: NonZeroU64,
    /// The provider, by its name in `agent.toml`.
    #[schemars(extend("x-if-left-out" = "the one that the agent calls first"))]
    pub provider: Option<String>,
    /// The model.
    #[schemars(extend("x-if-left-out" = "the agent's own, with another provider that one's default"))]
    pub model: Option<String>,
}

impl ModelGrant {
    /// Returns the grant in short: `2000 tokens of small-1 (cheap)`.
    pub(crate) fn summary(&self) -> String {
        let model = self.model.as_deref().unwrap_or("the agent's model");
        match &self.provider {
            Some(provider) => format!("{} tokens per turn of {model} ({provider})", self.tokens),
            None => format!("{} tokens per turn of {model}", self.tokens),
        }
    }
}
