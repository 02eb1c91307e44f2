//! The provider that an option names.

use std::path::PathBuf;
use std::str::FromStr;

use portcullis_agent_file::{Provider, ProviderKind};

/// The source of the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModelSource {
    /// Behind an API.
    Api(ProviderKind),
    /// In a file of responses.
    Script(PathBuf),
}

impl FromStr for ModelSource {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text, text.strip_prefix("scripted:")) {
            ("openai", _) => Ok(Self::Api(ProviderKind::OpenAi)),
            ("anthropic", _) => Ok(Self::Api(ProviderKind::Anthropic)),
            (_, Some(file)) if !file.is_empty() => Ok(Self::Script(file.into())),
            _ => Err("write `openai`, `anthropic` or `scripted:FILE`".into()),
        }
    }
}

impl ModelSource {
    /// Returns the provider.
    pub fn provider(self) -> Provider {
        match self {
            Self::Api(kind) => Provider::new(kind),
            Self::Script(file) => Provider {
                script: Some(file),
                ..Provider::new(ProviderKind::Scripted)
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table() {
        for (text, expected) in [
            ("openai", Some(ModelSource::Api(ProviderKind::OpenAi))),
            ("anthropic", Some(ModelSource::Api(ProviderKind::Anthropic))),
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
