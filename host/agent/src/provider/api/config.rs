//! The configuration of an endpoint.

use std::fmt;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The protocol an endpoint speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ApiKind {
    /// OpenAI's chat completions, which most providers and local servers support.
    #[serde(rename = "openai")]
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
}

impl ApiKind {
    /// Returns the default variable of the key.
    pub fn default_key_env(self) -> &'static str {
        match self {
            Self::OpenAi => "OPENAI_API_KEY",
            Self::Anthropic => "ANTHROPIC_API_KEY",
        }
    }
}

/// The source of the key.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum ApiKey {
    /// This environment variable, read when the provider is created.
    Env(String),
    /// This file, read when the provider is created. A line break at its end is removed.
    File(PathBuf),
    /// The key itself.
    Value(String),
    /// No key, as for most local servers.
    None,
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Env(name) => write!(f, "Env({name})"),
            Self::File(path) => write!(f, "File({})", path.display()),
            Self::Value(_) => f.write_str("Value(…)"),
            Self::None => f.write_str("None"),
        }
    }
}

impl ApiKey {
    /// Reads the key.
    ///
    /// # Errors
    ///
    /// The variable is not set or empty, or the file cannot be read or is empty.
    pub fn read(&self) -> Result<Option<String>, ApiConfigError> {
        match self {
            Self::Env(name) => match std::env::var(name) {
                Ok(key) if !key.is_empty() => Ok(Some(key)),
                _ => Err(ApiConfigError::NoKey(name.clone())),
            },
            Self::File(path) => from_file(path).map(Some),
            Self::Value(key) => Ok(Some(key.clone())),
            Self::None => Ok(None),
        }
    }
}

/// How much a reasoning model reasons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Effort {
    /// Little.
    Low,
    /// Some.
    Medium,
    /// Much.
    High,
}

/// The configuration of an endpoint.
///
/// ```
/// use portcullis_agent::ApiConfig;
///
/// let config: ApiConfig = toml::from_str(r#"
///     kind = "openai"
///     model = "qwen3"
///     base-url = "http://127.0.0.1:8080/v1"
///     key = "none"
/// "#)?;
/// # Ok::<(), toml::de::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ApiConfig {
    /// The protocol: `openai` or `anthropic`.
    pub kind: ApiKind,
    /// The default model.
    pub model: String,
    /// The address, including the version, such as `http://127.0.0.1:8080/v1`. Default: the address
    /// of the protocol's own provider.
    #[serde(default)]
    pub base_url: Option<String>,
    /// The source of the key: `{ env = "NAME" }`, `{ file = "PATH" }`, `{ value = "…" }` or
    /// `"none"`. Default: the variable `OPENAI_API_KEY` or `ANTHROPIC_API_KEY`.
    #[serde(default)]
    pub key: Option<ApiKey>,
    /// Whether responses are streamed. Default: true.
    #[serde(default = "yes")]
    pub stream: bool,
    /// The amount of reasoning. Default: not sent.
    #[serde(default)]
    pub effort: Option<Effort>,
    /// Whether the model's earlier reasoning is sent back, for OpenAI-compatible endpoints that
    /// require it; others refuse it. Anthropic's signed reasoning is always sent back, unless a hook has changed it.
    /// Default: false.
    #[serde(default)]
    pub replay_thinking: bool,
    /// The timeout of a connection, in milliseconds. Default: 10,000.
    #[serde(default = "default_connect")]
    pub connect_timeout_ms: u64,
    /// The timeout of the start of a streamed response, in milliseconds. Default: 120,000.
    #[serde(default = "default_begin")]
    pub first_byte_timeout_ms: u64,
    /// The timeout between two pieces of a streamed response, in milliseconds. Default: 60,000.
    #[serde(default = "default_idle")]
    pub idle_timeout_ms: u64,
}

fn yes() -> bool {
    true
}

fn default_connect() -> u64 {
    10_000
}

fn default_begin() -> u64 {
    120_000
}

fn default_idle() -> u64 {
    60_000
}

impl ApiConfig {
    /// Creates the configuration of the protocol's own provider, with the defaults.
    pub fn new(kind: ApiKind, model: impl Into<String>) -> Self {
        Self {
            kind,
            model: model.into(),
            base_url: None,
            key: None,
            stream: yes(),
            effort: None,
            replay_thinking: false,
            connect_timeout_ms: default_connect(),
            first_byte_timeout_ms: default_begin(),
            idle_timeout_ms: default_idle(),
        }
    }

    /// Reads the key.
    pub(super) fn read_key(&self) -> Result<Option<String>, ApiConfigError> {
        match &self.key {
            Some(key) => key.read(),
            None => ApiKey::Env(self.kind.default_key_env().to_owned()).read(),
        }
    }

    /// Returns the address, with a slash at its end.
    pub(super) fn checked_url(&self) -> Result<Option<String>, ApiConfigError> {
        let Some(text) = &self.base_url else {
            return Ok(None);
        };
        let bad = |cause: String| ApiConfigError::BadUrl {
            url: text.clone(),
            cause,
        };
        let url = reqwest::Url::parse(text).map_err(|e| bad(e.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(bad("it must begin with `http://` or `https://`".into()));
        }
        let slash = if text.ends_with('/') { "" } else { "/" };
        Ok(Some(format!("{text}{slash}")))
    }
}

/// Returns the key in a file.
fn from_file(path: &Path) -> Result<String, ApiConfigError> {
    let wrong = |cause: String| ApiConfigError::KeyFile {
        path: path.to_owned(),
        cause,
    };
    let text = std::fs::read_to_string(path).map_err(|e| wrong(e.to_string()))?;
    match text.trim_end_matches(['\r', '\n']) {
        "" => Err(wrong("it is empty".into())),
        key => Ok(key.to_owned()),
    }
}

/// The reason that a provider cannot be created from a configuration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ApiConfigError {
    /// There is no key.
    #[error(
        "there is no API key in the variable `{0}`; set it, name another source of the key, or say that the \
         endpoint takes none: `no-key = true`, or --no-key"
    )]
    NoKey(String),
    /// The key's file cannot be used.
    #[error("the key cannot be read from {}: {cause}; write the key to that file", path.display())]
    KeyFile {
        /// The file.
        path: PathBuf,
        /// The cause.
        cause: String,
    },
    /// The address is not valid.
    #[error("the base URL `{url}` cannot be used: {cause}")]
    BadUrl {
        /// The address.
        url: String,
        /// The cause.
        cause: String,
    },
    /// An `anthropic` endpoint without a base URL needs a key.
    #[error("`key = \"none\"` needs a `base-url`: the protocol's own provider wants a key")]
    KeyNeeded,
    /// The HTTP client cannot be created.
    #[error("the HTTP client cannot be made: {0}")]
    Client(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_and_never_shown() {
        let mut config = ApiConfig::new(ApiKind::OpenAi, "m");
        config.key = Some(ApiKey::Value("sk-secret".into()));
        assert_eq!(config.read_key().unwrap().as_deref(), Some("sk-secret"));
        assert!(!format!("{config:?}").contains("secret"));
        let file = tempfile::NamedTempFile::new().unwrap();
        config.key = Some(ApiKey::File(file.path().to_owned()));
        let error = config.read_key().unwrap_err().to_string();
        assert!(error.contains("it is empty"), "{error}");
        std::fs::write(file.path(), "sk-file\n").unwrap();
        assert_eq!(config.read_key().unwrap().as_deref(), Some("sk-file"));
        config.key = Some(ApiKey::Env("PORTCULLIS_NO_SUCH_KEY".into()));
        let error = config.read_key().unwrap_err().to_string();
        assert!(error.contains("`PORTCULLIS_NO_SUCH_KEY`"), "{error}");
    }

    #[test]
    fn urls_are_checked() {
        let mut config = ApiConfig::new(ApiKind::Anthropic, "m");
        assert_eq!(config.checked_url(), Ok(None));
        for (given, taken) in [
            ("http://127.0.0.1:1/v1", Some("http://127.0.0.1:1/v1/")),
            ("https://example.test/", Some("https://example.test/")),
            ("example.test/v1", None),
            ("ftp://example.test", None),
        ] {
            config.base_url = Some(given.into());
            let url = config.checked_url().ok().flatten();
            assert_eq!(url.as_deref(), taken, "{given}");
        }
    }
}
