//! The agent's providers, in order.

use std::fmt;
use std::sync::Arc;

use super::Provider;

/// The agent's providers by name, in the operator's order. The first is called first.
#[derive(Clone, Default)]
pub struct Providers {
    entries: Vec<(String, Arc<dyn Provider>)>,
}

/// The reason that a set of providers cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProvidersError {
    /// The set is empty.
    #[error("the agent has no provider; add one with `.provider(name, provider)`")]
    None,
    /// Two providers have the same name.
    #[error("two providers are called `{0}`; hooks switch providers by name, so rename one")]
    Twice(String),
}

impl Providers {
    /// Creates an empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a provider at the end.
    pub fn push(&mut self, name: impl Into<String>, provider: Arc<dyn Provider>) {
        self.entries.push((name.into(), provider));
    }

    /// Returns the provider with this name.
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Provider>> {
        self.entries
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, provider)| provider)
    }

    /// Returns the first provider, with its name.
    pub fn first(&self) -> Option<(&str, &Arc<dyn Provider>)> {
        self.entries
            .first()
            .map(|(name, provider)| (name.as_str(), provider))
    }

    /// Returns the names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|(name, _)| name.as_str())
    }

    /// Checks that there is a provider, and that names are unique.
    pub(crate) fn check(&self) -> Result<(), ProvidersError> {
        if self.entries.is_empty() {
            return Err(ProvidersError::None);
        }
        for (index, name) in self.names().enumerate() {
            if self.names().skip(index + 1).any(|other| other == name) {
                return Err(ProvidersError::Twice(name.to_owned()));
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Providers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}
