//! `[guards]`: limits that stop a turn with its output so far.

use std::num::NonZeroU64;

use portcullis_agent::Guards as AgentGuards;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::switch::Switch;

/// The default limit on the steps of a turn.
const STEPS: NonZeroU64 = NonZeroU64::new(20).unwrap();

/// Limits that stop a turn with its output so far. The turn does not fail.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub struct Guards {
    /// The most steps of a turn; `false` sets no limit. A step is a model call with its tool calls.
    #[schemars(extend("default" = STEPS.get()))]
    pub max_steps: Switch<NonZeroU64>,
    /// The most tokens of all model calls of a turn, sent and written. It is checked before each step.
    #[schemars(extend("x-if-left-out" = "no limit"))]
    pub max_tokens: Option<NonZeroU64>,
    /// The most seconds of a turn, without the time it was suspended. It is checked before each step.
    #[schemars(extend("x-if-left-out" = "no limit"))]
    pub max_seconds: Option<NonZeroU64>,
    /// The model's finish reasons that end the turn: `end-turn`, `max-tokens`, `stop-sequence`,
    /// `tool-use`, `refusal`, or in the provider's words.
    pub finish_reasons: Vec<String>,
}

impl Default for Guards {
    fn default() -> Self {
        Self {
            max_steps: Switch::On(STEPS),
            max_tokens: None,
            max_seconds: None,
            finish_reasons: Vec::new(),
        }
    }
}

impl Guards {
    pub(crate) fn guards(&self) -> AgentGuards {
        AgentGuards {
            max_steps: self.max_steps.on().map(NonZeroU64::get),
            max_tokens: self.max_tokens.map(NonZeroU64::get),
            max_seconds: self.max_seconds.map(NonZeroU64::get),
            finish_reasons: self.finish_reasons.clone(),
        }
    }
}
