//! Secrets: their sources, their grants to hooks, and their redaction.
//!
//! Secrets are read when hooks are loaded, so that a missing secret is found early and the host
//! knows the text to redact. Redaction guards against mistakes. It does not stop a hostile hook,
//! which can write a secret backwards.

mod redact;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::contract::text::sanitize_for_terminal;

/// A source of secrets. The default is the `[secrets]` table in `hooks.toml`; an embedder with its
/// own vault supplies a source in [`LoadOptions`](crate::LoadOptions).
///
/// ```
/// use portcullis::secrets::{SecretError, SecretSource};
///
/// struct Vault;
///
/// impl SecretSource for Vault {
///     fn read(&self, name: &str) -> Result<String, SecretError> {
///         match name {
///             "WEATHER_KEY" => Ok("k-123".into()),
///             _ => Err(SecretError("the vault has none of that name; put it in".into())),
///         }
///     }
/// }
/// ```
pub trait SecretSource: Send + Sync {
    /// Reads a secret.
    ///
    /// # Errors
    ///
    /// The secret cannot be read.
    fn read(&self, name: &str) -> Result<String, SecretError>;
}

/// An error in reading a secret: the cause and, after a semicolon, the fix.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SecretError(pub String);

/// An error in reading a secret that a hook was granted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("was granted the secret `{name}`, which cannot be read: {why}")]
pub struct MissingSecret {
    /// The secret.
    pub name: String,
    /// The cause and the fix.
    pub why: String,
}

/// Secrets by name, with their redaction. A hook has the secrets that it was granted.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Secrets {
    values: BTreeMap<String, String>,
    /// The texts to find, each with the name that replaces it; the longest first, since one secret
    /// may contain another.
    forms: Vec<(String, String)>,
}

impl Secrets {
    /// Reads the secrets of these names.
    pub(crate) fn read(
        names: &[String],
        source: &dyn SecretSource,
    ) -> Result<Self, Vec<MissingSecret>> {
        let mut values = BTreeMap::new();
        let mut faults = Vec::new();
        for name in names {
            let read = source.read(name).and_then(|value| match value.is_empty() {
                true => Err(SecretError("it is empty; give it a value".into())),
                false => Ok(value),
            });
            match read {
                Ok(value) => drop(values.insert(name.clone(), value)),
                Err(SecretError(why)) => faults.push(MissingSecret {
                    name: sanitize_for_terminal(name),
                    why,
                }),
            }
        }
        match faults.is_empty() {
            true => Ok(Self::of(values)),
            false => Err(faults),
        }
    }

    /// Creates secrets from values by name.
    pub fn of(values: BTreeMap<String, String>) -> Self {
        let forms = redact::forms(&values);
        Self { values, forms }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }
}

impl Secrets {
    /// Combines these secrets with others. If two have the same name, both are redacted.
    fn with(&self, others: &Self) -> Self {
        let mut both = self.clone();
        both.values.extend(others.values.clone());
        redact::add_forms(&mut both.forms, &others.forms);
        both
    }

    /// Returns the names, with the secrets' lengths in bytes.
    pub(crate) fn lengths(&self) -> BTreeMap<String, usize> {
        let values = self.values.iter();
        values
            .map(|(name, value)| (name.clone(), value.len()))
            .collect()
    }

    /// Returns whether there are no secrets.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

/// The secrets that several hooks were granted: one hook's output may be another hook's input.
#[derive(Default)]
pub(crate) struct AllSecrets(Mutex<Arc<Secrets>>);

impl AllSecrets {
    /// Adds the secrets that a hook was granted. The first ones are shared and not copied.
    pub(crate) fn add(&self, granted: &Arc<Secrets>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if granted.is_empty() || Arc::ptr_eq(&all, granted) {
            return;
        }
        *all = match all.is_empty() {
            true => granted.clone(),
            false => Arc::new(all.with(granted)),
        };
    }

    /// Returns all secrets.
    pub(crate) fn get(&self) -> Arc<Secrets> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.clone()
    }
}

/// Shows the names only.
impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.values.keys()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Source;

    impl SecretSource for Source {
        fn read(&self, name: &str) -> Result<String, SecretError> {
            match name {
                "KEY" => Ok("k-123".into()),
                "EMPTY" => Ok(String::new()),
                _ => Err(SecretError("there is none; add it".into())),
            }
        }
    }

    #[test]
    fn a_hook_has_what_it_was_granted_and_no_more() {
        let secrets = Secrets::read(&["KEY".into()], &Source).unwrap();
        assert_eq!(secrets.get("KEY"), Some("k-123"));
        assert_eq!(secrets.get("OTHER"), None);
        assert_eq!(format!("{secrets:?}"), r#"{"KEY"}"#);
    }

    #[test]
    fn every_secret_that_cannot_be_read_is_named() {
        let names = ["KEY", "EMPTY", "GONE"].map(str::to_owned);
        let faults = Secrets::read(&names, &Source).expect_err("faults");
        let texts: Vec<String> = faults.iter().map(ToString::to_string).collect();
        assert_eq!(texts.len(), 2);
        assert!(texts[0].contains("`EMPTY`") && texts[0].contains("; give it a value"));
        assert!(texts[1].contains("`GONE`") && texts[1].contains("; add it"));
    }
}
