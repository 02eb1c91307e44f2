//! The provider that the options name.

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use portcullis_agent::{
    ApiConfig, ApiConfigError, ApiKey, ApiKind, ApiProvider, Providers, Script,
};

use super::RunArgs;

/// Where the model is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModelSource {
    /// Behind an API.
    Api(ApiKind),
    /// In a file of responses.
    Script(PathBuf),
}

impl FromStr for ModelSource {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text, text.strip_prefix("scripted:")) {
            ("openai", _) => Ok(Self::Api(ApiKind::OpenAi)),
            ("anthropic", _) => Ok(Self::Api(ApiKind::Anthropic)),
            (_, Some(file)) if !file.is_empty() => Ok(Self::Script(file.into())),
            _ => Err("write `openai`, `anthropic` or `scripted:FILE`".into()),
        }
    }
}

/// The providers.
pub fn providers(args: &RunArgs) -> anyhow::Result<Providers> {
    match &args.provider {
        ModelSource::Script(file) => Ok(Script::load(file)?.providers()),
        ModelSource::Api(kind) => api(*kind, args),
    }
}

fn api(kind: ApiKind, args: &RunArgs) -> anyhow::Result<Providers> {
    let Some(model) = &args.model else {
        bail!("no model is named; name one with --model");
    };
    let name = match kind {
        ApiKind::OpenAi => "openai",
        ApiKind::Anthropic => "anthropic",
    };
    let key = match (&args.api_key_env, args.no_key) {
        (_, true) => Some(ApiKey::None),
        (Some(variable), _) => Some(ApiKey::Env(variable.clone())),
        (None, false) => None,
    };
    let provider = ApiProvider::new(ApiConfig {
        base_url: args.base_url.clone(),
        key,
        ..ApiConfig::new(kind, model)
    });
    let provider = match provider {
        Err(ApiConfigError::NoKey(variable)) => bail!(
            "there is no API key; set the variable {variable}, name another with --api-key-env, or \
             give --no-key if the endpoint needs none"
        ),
        made => made.with_context(|| format!("the provider `{name}` cannot be used"))?,
    };
    let mut providers = Providers::new();
    providers.push(name, Arc::new(provider));
    Ok(providers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table() {
        for (text, expected) in [
            ("openai", Some(ModelSource::Api(ApiKind::OpenAi))),
            ("anthropic", Some(ModelSource::Api(ApiKind::Anthropic))),
            (
                "scripted:a.json",
                Some(ModelSource::Script("a.json".into())),
            ),
            ("scripted:", None),
            ("gpt", None),
        ] {
            assert_eq!(text.parse().ok(), expected, "{text}");
        }
    }
}
