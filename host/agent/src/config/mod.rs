//! The agent's configuration. Everything has a default; unknown keys are errors.

mod compaction;
mod pieces;
mod retry;

use std::num::{NonZeroU32, NonZeroUsize};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::guards::Guards;

pub use compaction::CompactionConfig;
pub use pieces::PiecesConfig;
pub use retry::RetryConfig;

/// The behavior of an agent. `AgentConfig::default()` is a working configuration; in TOML or JSON
/// every key may be left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct AgentConfig {
    /// The agent's name, as hooks see it. Default: `agent`.
    pub name: String,
    /// The instructions that the model gets as the first message. Default: none.
    pub system_prompt: Option<String>,
    /// The model of the first provider. Default: the provider's own default.
    pub model: Option<String>,
    /// The sampling temperature. Default: the provider's own.
    pub temperature: Option<f64>,
    /// The maximum number of tokens that the model may write in one call. Default: the provider's
    /// own.
    pub max_output_tokens: Option<u32>,
    /// The maximum number of steps (model calls with their tool calls) in one turn. A turn that
    /// needs more fails. If a guard stops turns after more steps ([`Guards::max_steps`]), the
    /// guard's limit applies. Default: 20, as in Cognesy.
    pub max_steps: NonZeroU32,
    /// The maximum number of tool calls in one model response. A response with more fails the turn,
    /// and none of its calls runs. Default: 128.
    pub max_tool_calls: NonZeroU32,
    /// The time limit of one model call, in milliseconds. A call that takes longer fails as a
    /// `timeout`. Default: 600,000 (ten minutes).
    pub llm_timeout_ms: u64,
    /// The maximum number of bytes of a tool's output. The middle of longer output is replaced by a
    /// mark. Default: 65,536.
    pub max_tool_output_bytes: usize,
    /// The condition for passing pieces of the model's text to subscribers. Default:
    /// `unless-guarded`.
    pub deltas: Deltas,
    /// The maximum number of tokens of the sections that hooks contribute to the prompt. Longer
    /// sections are cut (see [`prompt`](crate::prompt)). Default: 8,000.
    pub prompt_budget_tokens: u64,
    /// The strategy for the tool calls of one response. Default: `sequential`.
    pub tool_strategy: ToolStrategy,
    /// The pieces of the model's text for `llm-delta` hooks.
    pub pieces: PiecesConfig,
    /// Limits that stop a turn. Each has Cognesy's default. Default: none but `max-steps`.
    pub guards: Option<Guards>,
    /// The maximum number of times that `turn-stopping` hooks may keep one turn going. Default: 3.
    pub max_keep_going: u32,
    /// The maximum depth of nested sub-agents. With 1, an agent's sub-agents may not have their
    /// own. Default: 3.
    pub max_depth: u32,
    /// The retries of a failed model call that no hook decides on.
    pub retry: RetryConfig,
    /// The configuration of compaction.
    pub compaction: CompactionConfig,
}

impl AgentConfig {
    /// Returns the maximum number of steps of a turn: the configured limit, or the guard's if it is
    /// higher.
    pub(crate) fn step_limit(&self) -> u32 {
        self.max_steps.get().max(self.guarded_steps().unwrap_or(0))
    }

    /// Returns the number of the last step of a turn: the guard stops the turn after it, or the
    /// limit fails the turn.
    pub(crate) fn last_step(&self) -> u32 {
        self.guarded_steps().unwrap_or(self.max_steps.get())
    }

    fn guarded_steps(&self) -> Option<u32> {
        let most = self.guards.as_ref()?.max_steps?;
        Some(u32::try_from(most).unwrap_or(u32::MAX))
    }
}

impl Default for AgentConfig {
    fn default() -> Self {
        Self {
            name: "agent".into(),
            system_prompt: None,
            model: None,
            temperature: None,
            max_output_tokens: None,
            max_steps: const { NonZeroU32::new(20).unwrap() },
            max_tool_calls: const { NonZeroU32::new(128).unwrap() },
            llm_timeout_ms: 600_000,
            max_tool_output_bytes: 65_536,
            deltas: Deltas::default(),
            prompt_budget_tokens: 8_000,
            tool_strategy: ToolStrategy::default(),
            pieces: PiecesConfig::default(),
            guards: None,
            max_keep_going: 3,
            max_depth: 3,
            retry: RetryConfig::default(),
            compaction: CompactionConfig::default(),
        }
    }
}

/// When pieces of the model's text are passed to subscribers as they arrive.
///
/// A piece is shown before `post-llm-call` and `post-turn` have seen the whole response, so text
/// that their hooks would redact or withhold has been shown by then. If an attempt fails, its
/// pieces are void: after [`LlmCallFailed`](crate::AgentEvent::LlmCallFailed) the next attempt
/// starts again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Deltas {
    /// Only if no hook may change or refuse anything at `post-llm-call` or `post-turn`.
    #[default]
    UnlessGuarded,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How the tool calls of one response are run. Every strategy commits the results in the order the
/// model asked for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ToolStrategy {
    /// One after another. The user can steer between two calls.
    #[default]
    Sequential,
    /// This many in parallel, then the next batch. The user can steer between two batches.
    Batched(NonZeroUsize),
    /// All in parallel. The user can steer after all of them.
    Parallel,
}

impl ToolStrategy {
    /// Returns the number of calls that run in parallel.
    pub(crate) fn batch(self, calls: usize) -> usize {
        match self {
            Self::Sequential => 1,
            Self::Batched(size) => size.get(),
            Self::Parallel => calls.max(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_has_a_default() {
        let config: AgentConfig = toml::from_str("").unwrap();
        assert_eq!(config, AgentConfig::default());
    }

    #[test]
    fn keys_are_read() {
        let config: AgentConfig = toml::from_str(
            "max-steps = 3\ndeltas = \"never\"\n[retry]\nretries = 0\n[compaction]\nlimit-tokens = 1000\n",
        )
        .unwrap();
        assert_eq!(config.max_steps.get(), 3);
        assert_eq!(config.deltas, Deltas::Never);
        assert_eq!(config.retry.retries, 0);
        assert_eq!(config.compaction.limit_tokens.get(), 1000);
    }

    #[test]
    fn mistakes_are_errors() {
        for text in [
            "max-stepz = 3",
            "max-steps = 0",
            "max-tool-calls = 0",
            "max-steps = -1",
            "[retry]\nmax-attempts = 0",
            "[compaction]\nlimit-tokens = 0",
            "[compaction]\nkeep = 3",
        ] {
            assert!(toml::from_str::<AgentConfig>(text).is_err(), "{text}");
        }
    }
}
