//! The files that a recorded call could read.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A directory that a hook was granted, before and after one of its calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedDirectory {
    /// The name under which the hook opens it, as the operator wrote it.
    pub guest: String,
    /// The contents when the call began.
    pub before: Arc<FileTree>,
    /// The contents when the call had ended, if the hook may write there.
    pub after: Option<Arc<FileTree>>,
}

/// The contents of a directory: every entry by its path relative to the directory, with the names
/// of a path joined by `/`. The directory itself has the path "".
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileTree(pub BTreeMap<String, FileEntry>);

/// An entry of a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileEntry {
    /// The kind of entry.
    pub kind: FileKind,
    /// The time of the last modification, since 1970. Earlier times count as 1970.
    pub modified: Duration,
}

/// The kind of a directory entry.
#[derive(Clone, PartialEq, Eq)]
pub enum FileKind {
    /// A directory.
    Directory,
    /// A file with this content.
    File(Arc<[u8]>),
    /// A symbolic link to this path.
    Link(String),
}

/// Omits the content.
impl fmt::Debug for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directory => f.write_str("Directory"),
            Self::File(content) => write!(f, "File({} bytes)", content.len()),
            Self::Link(target) => write!(f, "Link({target:?})"),
        }
    }
}

impl FileTree {
    /// Returns whether both contain the same files, regardless of modification times.
    pub(crate) fn has_same_files(&self, other: &Self) -> bool {
        self.0.len() == other.0.len()
            && self
                .0
                .iter()
                .zip(&other.0)
                .all(|((path, one), (same, other))| path == same && one.kind == other.kind)
    }
}
