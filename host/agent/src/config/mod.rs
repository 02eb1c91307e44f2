//! The agent's configuration. Everything has a default; unknown keys are errors.

mod compaction;
mod retry;

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

pub use compaction::CompactionConfig;
pub use retry::RetryConfig;

/// How an agent behaves. `AgentConfig::default()` is a working configuration; in TOML or JSON every
/// key may be left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct AgentConfig {
    /// The agent's name, as hooks see it. Default: `agent`.
    pub name: String,
    /// The instructions the model is given as the first message. Default: none.
    pub system_prompt: Option<String>,
    /// The model of the first provider. Default: the provider's own default.
    pub model: Option<String>,
    /// The sampling temperature. Default: the provider's own.
    pub temperature: Option<f64>,
    /// The most tokens the model may write in one call. Default: the provider's own.
    pub max_output_tokens: Option<u32>,
    /// The most steps (model calls with the tool calls they ask for) in one turn. Default: 20, as
    /// in seed 002.
    pub max_steps: NonZeroU32,
    /// How long one model call may take, in milliseconds, waiting included. A call that takes
    /// longer fails as a `timeout`. Default: 600,000 (ten minutes).
    pub llm_timeout_ms: u64,
    /// The most bytes of a tool's output that are kept; the middle of longer output is cut out,
    /// with a mark. Default: 65,536.
    pub max_tool_output_bytes: usize,
    /// When pieces of the model's text are passed to subscribers. Default: `unless-guarded`.
    pub deltas: Deltas,
    /// The most tokens of the prompt's sections that hooks contribute; what is over is cut (see
    /// [`prompt`](crate::prompt)). Default: 8,000.
    pub prompt_budget_tokens: u64,
    /// How the tool calls of one response are run. Default: `sequential`.
    pub tool_strategy: ToolStrategy,
    /// What happens to a failed model call that no hook decides on.
    pub retry: RetryConfig,
    /// When and how the conversation is compacted.
    pub compaction: CompactionConfig,
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
            llm_timeout_ms: 600_000,
            max_tool_output_bytes: 65_536,
            deltas: Deltas::default(),
            prompt_budget_tokens: 8_000,
            tool_strategy: ToolStrategy::default(),
            retry: RetryConfig::default(),
            compaction: CompactionConfig::default(),
        }
    }
}

/// When pieces of the model's text are passed to subscribers as they come.
///
/// A piece is out before `post-llm-call` and `post-turn` have seen the whole: what they would have
/// redacted or withheld has been shown by then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Deltas {
    /// Only while no hook may change or refuse anything at `post-llm-call` or `post-turn`.
    #[default]
    UnlessGuarded,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How the tool calls of one response are run. Results are committed in the order the model asked
/// for them, whatever the strategy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ToolStrategy {
    /// One after another.
    #[default]
    Sequential,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_may_be_left_out() {
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
            "max-steps = -1",
            "[retry]\nmax-attempts = 0",
            "[compaction]\nlimit-tokens = 0",
            "[compaction]\nkeep = 3",
        ] {
            assert!(toml::from_str::<AgentConfig>(text).is_err(), "{text}");
        }
    }
}
