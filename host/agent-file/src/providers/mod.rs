//! `[[providers]]`: the providers of models.

mod check;
mod make;

use std::path::{Path, PathBuf};

use portcullis_agent::{ApiConfig, ApiKind, Effort, Script, ScriptedResponse};
use schemars::JsonSchema;
use serde::Deserialize;

pub(crate) use self::make::providers;

/// Which protocol a provider speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProviderKind {
    /// OpenAI's chat completions, which most providers and local servers support.
    #[serde(rename = "openai")]
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
    /// Responses from a script.
    Scripted,
}

impl ProviderKind {
    /// Returns the name in the file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
            Self::Scripted => "scripted",
        }
    }

    /// Returns the protocol; `None` for a script.
    const fn api(self) -> Option<ApiKind> {
        match self {
            Self::OpenAi => Some(ApiKind::OpenAi),
            Self::Anthropic => Some(ApiKind::Anthropic),
            Self::Scripted => None,
        }
    }
}

/// Returns the defaults of an endpoint.
fn defaults() -> ApiConfig {
    ApiConfig::new(ApiKind::OpenAi, "")
}

/// A provider. The first is called first; hooks can switch to the others by their names.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub struct Provider {
    /// The name, as hooks see it.
    #[schemars(extend("x-if-left-out" = "the kind"))]
    pub name: Option<String>,
    /// The protocol. Required.
    pub kind: Option<ProviderKind>,
    /// The model. Required, but not for a script.
    pub model: Option<String>,
    /// The address, including the version, such as `http://127.0.0.1:8080/v1`.
    #[schemars(extend("x-if-left-out" = "that of the protocol's own provider"))]
    pub base_url: Option<String>,
    /// The environment variable that holds the key.
    #[schemars(extend("x-if-left-out" = "`OPENAI_API_KEY` or `ANTHROPIC_API_KEY`"))]
    pub key_env: Option<String>,
    /// The file that holds the key, in place of a variable. A line break at its end is removed.
    pub key_file: Option<PathBuf>,
    /// Whether the endpoint takes no key, as most local servers.
    pub no_key: bool,
    /// Whether responses are streamed.
    #[schemars(extend("default" = defaults().stream))]
    pub stream: Option<bool>,
    /// How much the model reasons.
    #[schemars(extend("x-if-left-out" = "the provider's own"))]
    pub effort: Option<Effort>,
    /// Whether the model's earlier reasoning is sent back, for OpenAI-compatible endpoints that
    /// require it.
    pub replay_thinking: bool,
    /// Milliseconds that a connection may take.
    #[schemars(extend("default" = defaults().connect_timeout_ms))]
    pub connect_timeout_ms: Option<u64>,
    /// Milliseconds until a streamed response begins.
    #[schemars(extend("default" = defaults().first_byte_timeout_ms))]
    pub first_byte_timeout_ms: Option<u64>,
    /// Milliseconds between two pieces of a streamed response.
    #[schemars(extend("default" = defaults().idle_timeout_ms))]
    pub idle_timeout_ms: Option<u64>,
    /// For `scripted`: a file of responses, in JSON. It may name providers of its own.
    pub script: Option<PathBuf>,
    /// For `scripted`: the responses, one for each model call, in the script's own keys.
    pub responses: Option<Vec<ScriptedResponse>>,
    /// For `scripted`: whether the responses begin again after the last one.
    pub repeat: bool,
}

impl Provider {
    /// Creates a provider of this kind.
    pub fn new(kind: ProviderKind) -> Self {
        Self {
            kind: Some(kind),
            ..Self::default()
        }
    }

    pub(crate) fn resolve(&mut self, dir: &Path) {
        for path in [&mut self.key_file, &mut self.script].into_iter().flatten() {
            *path = dir.join(&*path);
        }
    }

    /// Returns the name, as hooks see it.
    pub fn name(&self) -> &str {
        let kind = self.kind.map_or("provider", ProviderKind::name);
        self.name.as_deref().unwrap_or(kind)
    }

    /// Returns the names of the providers that this table defines: its own, or those of its script.
    pub(crate) fn names(&self) -> Vec<String> {
        let script = self.script.as_ref().filter(|_| self.name.is_none());
        match script.and_then(|script| Script::load(script).ok()) {
            Some(script) => script.providers().names().map(str::to_owned).collect(),
            None => vec![self.name().to_owned()],
        }
    }
}
