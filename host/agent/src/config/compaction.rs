//! The configuration of compaction.

use std::num::{NonZeroU32, NonZeroU64};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// When and how the conversation is compacted: older messages are replaced by a summary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct CompactionConfig {
    /// Whether to compact. Default: true.
    pub enabled: bool,
    /// The most tokens of the conversation. It is compacted before a model call if it has more.
    /// Default: 100,000.
    pub limit_tokens: NonZeroU64,
    /// How many of the newest messages are kept. Default: 8.
    pub keep_recent: u32,
    /// The most tokens of the summary. Default: 1,024.
    pub summary_tokens: NonZeroU32,
}

impl Default for CompactionConfig {
    fn default() -> Self {
        Self {
            enabled: true,
            limit_tokens: const { NonZeroU64::new(100_000).unwrap() },
            keep_recent: 8,
            summary_tokens: const { NonZeroU32::new(1024).unwrap() },
        }
    }
}
