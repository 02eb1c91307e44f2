//! Gathering the model's text into pieces.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How the model's text is gathered into pieces for `llm-delta` hooks. Providers send one word at a
/// time, and a call for each would be too expensive. Without a hook at `llm-delta` nothing is
/// gathered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct PiecesConfig {
    /// A piece is passed on once it has this many bytes. Default: 96.
    pub bytes: usize,
    /// A piece is passed on also when more text arrives after this many milliseconds. Default: 50.
    pub millis: u64,
}

impl Default for PiecesConfig {
    fn default() -> Self {
        Self {
            bytes: 96,
            millis: 50,
        }
    }
}
