//! `[model]`: how the model is called.

use portcullis_agent::{AgentConfig, Deltas, PiecesConfig};
use schemars::JsonSchema;
use serde::Deserialize;

/// How the model is called.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub struct Model {
    /// The sampling temperature.
    #[schemars(extend("x-if-left-out" = "the provider's own"))]
    pub temperature: Option<f64>,
    /// The most tokens that the model may write in one call.
    #[schemars(extend("x-if-left-out" = "the provider's own"))]
    pub max_output_tokens: Option<u32>,
    /// Milliseconds that one model call may take.
    #[schemars(extend("default" = AgentConfig::default().llm_timeout_ms))]
    pub timeout_ms: Option<u64>,
    /// When text is shown as it arrives, before hooks have seen the whole response.
    pub deltas: Deltas,
    /// How the model's text is gathered into pieces for `llm-delta` hooks.
    pub pieces: PiecesConfig,
}
