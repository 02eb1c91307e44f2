//! Retries of model calls.

use std::num::NonZeroU32;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The retries of a failed model call that no `llm-error` hook decides on.
///
/// Only failures that may be temporary are retried: `timeout`, `rate-limited`, `overloaded`,
/// `network` and `server`. The wait starts at `base-delay-ms`, doubles with every retry, is at
/// least what the provider asks for, and never exceeds `max-delay-ms`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct RetryConfig {
    /// How many times a call is retried without a hook's decision; 0 gives up on the first failure.
    /// Default: 2.
    pub retries: u32,
    /// The first wait, in milliseconds. Default: 500.
    pub base_delay_ms: u64,
    /// The longest wait, in milliseconds, also if a hook asks for a longer one. Default: 30,000.
    pub max_delay_ms: u64,
    /// The most attempts at one call. Once it is reached, a hook's `retry` or `switch-provider` is
    /// ignored. Default: 6.
    pub max_attempts: NonZeroU32,
}

impl Default for RetryConfig {
    fn default() -> Self {
        Self {
            retries: 2,
            base_delay_ms: 500,
            max_delay_ms: 30_000,
            max_attempts: const { NonZeroU32::new(6).unwrap() },
        }
    }
}
