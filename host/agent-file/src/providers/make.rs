//! A provider, from its table.

use std::sync::Arc;

use portcullis_agent::{ApiConfig, ApiKey, ApiProvider, Providers, Script, ScriptedProvider};

use super::{Provider, ProviderKind};

impl Provider {
    pub(super) fn provider(&self, kind: ProviderKind) -> Result<Providers, Fault> {
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
                let mut script = Script::load(path).map_err(|e| Fault::new("script", e))?;
                if self.repeat {
                    script = script.repeating();
                }
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
                "responses",
                "a scripted provider has either `script` or `responses`",
            )),
        }
    }
}

/// A key with a wrong value, and the problem.
pub(super) struct Fault {
    pub(super) key: &'static str,
    pub(super) problem: String,
}

impl Fault {
    fn new(key: &'static str, problem: impl ToString) -> Self {
        Self {
            key,
            problem: problem.to_string(),
        }
    }
}

/// Returns the providers, in order.
///
/// # Errors
///
/// The first fault. [`AgentFile::faults`](crate::AgentFile::faults) returns all of them.
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
