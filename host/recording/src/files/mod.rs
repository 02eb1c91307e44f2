//! The files that recorded calls could read.

mod changes;
mod content;
mod written;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

pub(crate) use changes::stored_changes;
pub use changes::{FileChanges, file_changes};
pub use content::{NamedContent, Naming, content};
pub(crate) use written::written;

/// The entries of a directory, by path. The directory itself has the path "".
pub type StoredTree = BTreeMap<String, StoredEntry>;

/// An entry in a directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct StoredEntry {
    /// The entry's kind.
    pub kind: StoredKind,
    /// The time of the last modification, since 1970.
    pub modified: Duration,
}

/// The kind of an entry in a directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StoredKind {
    /// A directory.
    Directory,
    /// A file, with its content's name.
    File(String),
    /// A symbolic link to this path.
    Link(String),
}

/// A directory that a hook was granted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredDirectory {
    /// The hook's name for the directory.
    pub guest: String,
    /// The directory's entries when the call began.
    pub before: Arc<StoredTree>,
    /// The directory's entries when the call had ended, if the hook may write there.
    pub after: Option<Arc<StoredTree>>,
}

/// A directory in a block. Trees are the numbers of shared values.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct DirectoryLine {
    pub(crate) guest: String,
    pub(crate) before: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) after: Option<usize>,
}

/// Returns the path of an entry in a directory, as the hook writes it.
pub fn within(guest: &str, path: &str) -> String {
    match guest.ends_with('/') {
        true => format!("{guest}{path}"),
        false => format!("{guest}/{path}"),
    }
}
