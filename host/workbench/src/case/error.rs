//! An error in a case: file, line, key, cause and fix.

use std::path::{Path, PathBuf};

use serde::Serialize;

/// An error in a case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{}{}: {}{problem}", file.display(), line.map(|n| format!(":{n}")).unwrap_or_default(),
    key.as_ref().map(|key| format!("`{key}`: ")).unwrap_or_default())]
pub struct CaseError {
    /// The file.
    pub file: PathBuf,
    /// The line, counted from 1.
    pub line: Option<usize>,
    /// The key.
    pub key: Option<String>,
    /// The problem, and the fix.
    pub problem: String,
}

impl CaseError {
    pub(super) fn unreadable(file: &Path, error: &std::io::Error) -> Self {
        Self {
            file: file.to_owned(),
            line: None,
            key: None,
            problem: format!("cannot be read: {error}; name a file that exists"),
        }
    }
}
