//! A hook that did not load: the file, the stage and the fault.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::fault::LoadFault;
use crate::settings::SettingsError;

/// The stage at which a hook failed to load.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// Reading the file.
    Read,
    /// Checking the file against `hooks.lock`.
    Lock,
    /// Compiling the component.
    Compile,
    /// Finding the points and imports.
    Inspect,
    /// Linking the imports.
    Link,
    /// Asking the hook to describe itself.
    Describe,
    /// Checking the hook against `hooks.toml`.
    Resolve,
    /// Putting the hooks in order.
    Order,
}

/// A hook that did not load.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {fault}", file.display())]
pub struct LoadError {
    /// The file, or the directory.
    pub file: PathBuf,
    /// The stage that failed.
    pub stage: Stage,
    /// The reason.
    #[source]
    pub fault: LoadFault,
}

impl LoadError {
    pub(crate) fn new(file: &Path, stage: Stage, fault: LoadFault) -> Self {
        Self {
            file: file.to_owned(),
            stage,
            fault,
        }
    }
}

impl From<SettingsError> for LoadError {
    fn from(error: SettingsError) -> Self {
        let place = match error.line {
            Some(line) => PathBuf::from(format!("{}:{line}", error.file.display())),
            None => error.file.clone(),
        };
        Self {
            file: place,
            stage: Stage::Resolve,
            fault: LoadFault::Settings(Box::new(error)),
        }
    }
}

/// All errors in a hooks directory.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct LoadErrors(pub Vec<LoadError>);

impl std::fmt::Display for LoadErrors {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            write!(f, "{error}")?;
        }
        Ok(())
    }
}

impl From<Vec<SettingsError>> for LoadErrors {
    fn from(errors: Vec<SettingsError>) -> Self {
        Self(errors.into_iter().map(Into::into).collect())
    }
}
