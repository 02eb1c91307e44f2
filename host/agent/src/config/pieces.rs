//! How the model's text is gathered into pieces.

use serde::{Deserialize, Serialize};

/// How the model's text is gathered into pieces for `llm-delta` hooks: providers send a word at a
/// time, and a call for each would cost more than it tells. Where no hook serves `llm-delta`, nothing
/// is gathered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct PiecesConfig {
    /// A piece is handed on once it has this many bytes. Default: 96.
    pub bytes: usize,
    /// Or once it is this many milliseconds old and more comes. Default: 50.
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
