//! `[[providers]]`: where the model is.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use portcullis_agent::{
    ApiConfig, ApiKey, ApiKind, ApiProvider, Effort, Providers, Script, ScriptedProvider,
    ScriptedResponse,
};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::faults::Faults;

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
    /// The name in the file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
            Self::Scripted => "scripted",
        }
    }

    /// The protocol; `None` for a script.
    const fn api(self) -> Option<ApiKind> {
        match self {
            Self::OpenAi => Some(ApiKind::OpenAi),
            Self::Anthropic => Some(ApiKind::Anthropic),
            Self::Scripted => None,
        }
    }
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
    #[schemars(extend("default" = true))]
    pub stream: Option<bool>,
    /// How much the model reasons.
    #[schemars(extend("x-if-left-out" = "the provider's own"))]
    pub effort: Option<Effort>,
    /// Whether the model's earlier reasoning is sent back, for OpenAI-compatible endpoints that
    /// require it.
    pub replay_thinking: bool,
    /// Milliseconds that a connection may take.
    #[schemars(extend("default" = 10_000))]
    pub connect_timeout_ms: Option<u64>,
    /// Milliseconds until a streamed response begins.
    #[schemars(extend("default" = 120_000))]
    pub first_byte_timeout_ms: Option<u64>,
    /// Milliseconds between two pieces of a streamed response.
    #[schemars(extend("default" = 60_000))]
    pub idle_timeout_ms: Option<u64>,
    /// For `scripted`: a file of responses, in JSON. It may name providers of its own.
    pub script: Option<PathBuf>,
    /// For `scripted`: the responses, one for each call of the model, in the script's own keys.
    pub responses: Option<Vec<ScriptedResponse>>,
    /// For `scripted`: whether the responses begin again after the last one.
    pub repeat: bool,
}

impl Provider {
    /// A provider of this kind.
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

    /// The name, as hooks see it.
    pub fn name(&self) -> &str {
        let kind = self.kind.map_or("provider", ProviderKind::name);
        self.name.as_deref().unwrap_or(kind)
    }

    /// The names of the providers that it stands for.
    pub(crate) fn names(&self) -> Vec<String> {
        let script = self.script.as_ref().filter(|_| self.name.is_none());
        match script.and_then(|script| Script::load(script).ok()) {
            Some(script) => script.providers().names().map(str::to_owned).collect(),
            None => vec![self.name().to_owned()],
        }
    }

    pub(crate) fn faults(&self, index: usize, faults: &mut Faults<'_>) {
        let index = index.to_string();
        let at = |key| ["providers", &index, key];
        let Some(kind) = self.kind else {
            faults.add(
                &at("kind"),
                "`kind` is missing; set it to `openai`, `anthropic` or `scripted`",
            );
            return;
        };
        let scripted = kind == ProviderKind::Scripted;
        let keys = [
            ("script", scripted, self.script.is_some()),
            ("responses", scripted, self.responses.is_some()),
            ("repeat", scripted, self.repeat),
            ("base-url", !scripted, self.base_url.is_some()),
            ("key-env", !scripted, self.key_env.is_some()),
            ("key-file", !scripted, self.key_file.is_some()),
            ("no-key", !scripted, self.no_key),
            ("effort", !scripted, self.effort.is_some()),
            ("replay-thinking", !scripted, self.replay_thinking),
        ];
        for (key, fits, set) in keys {
            if set && !fits {
                let problem = format!(
                    "a provider of kind `{}` has no `{key}`; remove it",
                    kind.name()
                );
                faults.add(&at(key), problem);
            }
        }
        let sources = [self.key_env.is_some(), self.key_file.is_some(), self.no_key];
        if sources.into_iter().filter(|set| *set).count() > 1 {
            faults.add(
                &at("kind"),
                "the key has more than one source; keep one of `key-env`, `key-file` and `no-key`",
            );
            return;
        }
        if let Err(error) = self.provider(kind) {
            faults.add(&at(error.key), error.problem);
        }
    }

    fn provider(&self, kind: ProviderKind) -> Result<Providers, Fault> {
        let mut providers = Providers::new();
        let Some(api) = kind.api() else {
            return self.scripted();
        };
        let model = self.model.as_ref().ok_or_else(|| {
            Fault::new(
                "model",
                "no model is named; name one with `model`, or with --model",
            )
        })?;
        let defaults = ApiConfig::new(api, model);
        let config = ApiConfig {
            base_url: self.base_url.clone(),
            key: self.key(),
            stream: self.stream.unwrap_or(defaults.stream),
            effort: self.effort,
            replay_thinking: self.replay_thinking,
            connect_timeout_ms: self
                .connect_timeout_ms
                .unwrap_or(defaults.connect_timeout_ms),
            first_byte_timeout_ms: (self.first_byte_timeout_ms)
                .unwrap_or(defaults.first_byte_timeout_ms),
            idle_timeout_ms: self.idle_timeout_ms.unwrap_or(defaults.idle_timeout_ms),
            ..defaults
        };
        let provider = ApiProvider::new(config).map_err(|error| Fault {
            key: match (&self.key_file, &self.key_env, &self.base_url) {
                (Some(_), _, _) => "key-file",
                (_, Some(_), _) => "key-env",
                (_, _, Some(_)) => "base-url",
                _ => "kind",
            },
            problem: error.to_string(),
        })?;
        providers.push(self.name(), Arc::new(provider));
        Ok(providers)
    }

    fn key(&self) -> Option<ApiKey> {
        match (&self.key_env, &self.key_file, self.no_key) {
            (Some(variable), ..) => Some(ApiKey::Env(variable.clone())),
            (_, Some(path), _) => Some(ApiKey::File(path.clone())),
            (.., true) => Some(ApiKey::None),
            _ => None,
        }
    }

    fn scripted(&self) -> Result<Providers, Fault> {
        match (&self.script, &self.responses) {
            (Some(path), None) => {
                let script = Script::load(path).map_err(|e| Fault::new("script", e))?;
                let mut providers = script.providers();
                if let Some(name) = &self.name {
                    let Some((_, first)) = providers.first() else {
                        return Err(Fault::new("script", "the script has no provider"));
                    };
                    let first = first.clone();
                    providers = Providers::new();
                    providers.push(name, first);
                }
                Ok(providers)
            }
            (None, Some(responses)) => {
                let (name, model) = (self.name(), self.model.as_deref().unwrap_or("scripted"));
                for (index, response) in responses.iter().enumerate() {
                    let wrong =
                        |what| Fault::new("responses", format!("response {} {what}", index + 1));
                    response.check().map_err(wrong)?;
                }
                let provider = ScriptedProvider::new(name, model, responses.clone());
                let provider = if self.repeat {
                    provider.repeating()
                } else {
                    provider
                };
                let mut providers = Providers::new();
                providers.push(name, Arc::new(provider));
                Ok(providers)
            }
            _ => Err(Fault::new(
                "kind",
                "a scripted provider has either `script` or `responses`",
            )),
        }
    }
}

struct Fault {
    key: &'static str,
    problem: String,
}

impl Fault {
    fn new(key: &'static str, problem: impl ToString) -> Self {
        Self {
            key,
            problem: problem.to_string(),
        }
    }
}

/// The providers, in order.
///
/// # Errors
///
/// The first fault; the file's faults are all of them.
pub(crate) fn providers(listed: &[Provider]) -> Result<Providers, String> {
    let mut all = Providers::new();
    for provider in listed {
        let kind = provider.kind.ok_or("a provider has no `kind`")?;
        let made = provider.provider(kind).map_err(|fault| fault.problem)?;
        for name in made.names() {
            if let Some(provider) = made.get(name) {
                all.push(name, provider.clone());
            }
        }
    }
    Ok(all)
}
