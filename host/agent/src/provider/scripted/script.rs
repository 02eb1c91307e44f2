//! The script's format.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;

use super::{ScriptedProvider, ScriptedResponse};
use crate::provider::{Provider, Providers};

/// The default name of a provider.
const ONLY_NAME: &str = "scripted";

/// The default model.
const ANY_MODEL: &str = "scripted";

/// A script: providers in order, and the responses of each, one for each call.
///
/// ```
/// use portcullis_agent::Script;
///
/// let script = Script::parse(r#"{
///   "providers": [
///     {
///       "name": "main",
///       "model": "large-1",
///       "responses": [
///         {
///           "thinking": "I should look.",
///           "text": "Let me see.",
///           "tool_calls": [{ "name": "read_file", "arguments": { "path": "notes.txt" } }],
///           "usage": { "input_tokens": 120, "output_tokens": 25 }
///         },
///         { "error": { "kind": "overloaded", "status": 529, "retry_after_ms": 200 } }
///       ]
///     },
///     {
///       "name": "backup",
///       "responses": [
///         { "expect": "buy milk", "text": "You want to buy milk.", "chunk": 8, "delay_ms": 50 }
///       ]
///     }
///   ]
/// }"#)?;
/// assert_eq!(script.providers().names().collect::<Vec<_>>(), ["main", "backup"]);
/// # Ok::<(), portcullis_agent::ScriptError>(())
/// ```
///
/// A script with one provider may omit the list: `{ "responses": [ … ] }`. The provider is then
/// called `scripted`. Every model call takes the next response of its provider, also the call that
/// writes a compaction's summary. A call without a response left fails and says so.
#[derive(Debug, Clone)]
pub struct Script {
    providers: Vec<(String, Arc<ScriptedProvider>)>,
}

/// A script that cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// The file cannot be read.
    #[error("cannot read the script {}: {cause}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: std::io::Error,
    },
    /// It is not JSON of the right shape.
    #[error("the script is not what it should be: {0}")]
    Parse(#[from] serde_json::Error),
    /// It is of the right shape, but invalid.
    #[error("the script is invalid: {0}")]
    Invalid(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    providers: Option<Vec<FileProvider>>,
    #[serde(default)]
    model: Option<String>,
    #[serde(default)]
    responses: Option<Vec<ScriptedResponse>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileProvider {
    name: String,
    #[serde(default)]
    model: Option<String>,
    responses: Vec<ScriptedResponse>,
}

impl Script {
    /// Reads a script.
    ///
    /// # Errors
    ///
    /// The file cannot be read or is not a script.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, ScriptError> {
        let path = path.as_ref();
        let text = fs::read_to_string(path).map_err(|cause| ScriptError::Read {
            path: path.to_owned(),
            cause,
        })?;
        Self::parse(&text)
    }

    /// Parses a script.
    ///
    /// # Errors
    ///
    /// The text is not a script.
    pub fn parse(text: &str) -> Result<Self, ScriptError> {
        let file: File = serde_json::from_str(text)?;
        let listed = match (file.providers, file.responses) {
            (Some(providers), None) if file.model.is_none() => providers,
            (None, Some(responses)) => vec![FileProvider {
                name: ONLY_NAME.into(),
                model: file.model,
                responses,
            }],
            _ => {
                return Err(ScriptError::Invalid(
                    "give either `providers`, each with its `model` and `responses`, or \
                     `responses` (and perhaps `model`) alone"
                        .into(),
                ));
            }
        };
        let mut names = BTreeSet::new();
        let mut providers = Vec::with_capacity(listed.len());
        for FileProvider {
            name,
            model,
            responses,
        } in listed
        {
            if !names.insert(name.clone()) {
                return Err(ScriptError::Invalid(format!(
                    "two providers are called `{name}`"
                )));
            }
            for (index, response) in responses.iter().enumerate() {
                response.check().map_err(|what| {
                    ScriptError::Invalid(format!(
                        "response {} of provider `{name}` {what}",
                        index + 1
                    ))
                })?;
            }
            let model = model.unwrap_or_else(|| ANY_MODEL.into());
            let provider = ScriptedProvider::new(&name, model, responses);
            providers.push((name, Arc::new(provider)));
        }
        Ok(Self { providers })
    }

    /// The same script, whose providers begin again after their last response.
    #[must_use]
    pub fn repeating(self) -> Self {
        let providers = self.providers.into_iter();
        let providers =
            providers.map(|(name, provider)| (name, Arc::new(provider.again().repeating())));
        Self {
            providers: providers.collect(),
        }
    }

    /// The providers, each at the start of its script.
    pub fn providers(&self) -> Providers {
        let mut set = Providers::new();
        for (name, provider) in &self.providers {
            set.push(name.clone(), provider.clone() as Arc<dyn Provider>);
        }
        set
    }

    /// The number of responses that are left, over all providers. If a test ends with some left, it
    /// did not do what its script says.
    pub fn left(&self) -> usize {
        self.providers.iter().map(|(_, p)| p.left()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_their_position() {
        for (text, says) in [
            ("{}", "either `providers`"),
            (
                r#"{"providers": [], "responses": []}"#,
                "either `providers`",
            ),
            (r#"{"providers": [], "model": "m"}"#, "either `providers`"),
            (
                r#"{"responses": [{"text": "a"}, {"text": "b", "error": {"kind": "other"}}]}"#,
                "response 2 of provider `scripted` has both",
            ),
            (
                r#"{"responses": [{"error": {"kind": "busy"}}]}"#,
                "`busy`, which is none of: timeout, rate-limited",
            ),
            (
                r#"{"providers": [{"name": "a", "responses": []}, {"name": "a", "responses": []}]}"#,
                "two providers are called `a`",
            ),
            (r#"{"responses": [{"txt": "a"}]}"#, "unknown field `txt`"),
            (r#"{"responses": [{"chunk": 0}]}"#, "nonzero"),
        ] {
            let error = Script::parse(text).unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
