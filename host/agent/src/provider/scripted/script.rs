//! A script, and the providers that play it.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use portcullis::settings::schema_of;
use serde_json::Value;

use super::file::File;
use super::{ScriptError, ScriptedProvider};
use crate::provider::{Provider, Providers};

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
/// called `scripted`. Every model call takes the next response of its provider, including the call
/// that writes a compaction's summary. A call without a remaining response fails with an error.
#[derive(Debug, Clone)]
pub struct Script {
    providers: Vec<(String, Arc<ScriptedProvider>)>,
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
        Self::parse(&text).map_err(|error| error.of(path))
    }

    /// Parses a script.
    ///
    /// # Errors
    ///
    /// The text is not a script.
    pub fn parse(text: &str) -> Result<Self, ScriptError> {
        let providers = File::parse(text)?.providers()?.into_iter().map(|listed| {
            let model = listed.model.unwrap_or_else(|| ANY_MODEL.into());
            let provider = ScriptedProvider::new(&listed.name, model, listed.responses);
            (listed.name, Arc::new(provider))
        });
        Ok(Self {
            providers: providers.collect(),
        })
    }

    /// Returns the JSON schema of a script.
    pub fn schema() -> Value {
        schema_of::<File>()
    }

    /// Makes the providers begin again after their last response.
    #[must_use]
    pub fn repeating(self) -> Self {
        let providers = self.providers.into_iter();
        let providers =
            providers.map(|(name, provider)| (name, Arc::new(provider.again().repeating())));
        Self {
            providers: providers.collect(),
        }
    }

    /// Returns the providers, each at the start of its script.
    pub fn providers(&self) -> Providers {
        let mut set = Providers::new();
        for (name, provider) in &self.providers {
            set.push(name.clone(), provider.clone() as Arc<dyn Provider>);
        }
        set
    }

    /// Returns the number of remaining responses of all providers. If some remain at the end of a
    /// test, the test did not follow its script.
    pub fn left(&self) -> usize {
        self.providers.iter().map(|(_, p)| p.left()).sum()
    }
}
