//! The files that a recorded call could read.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A directory that a hook was granted, as one of its calls found it, and as the call left it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedDirectory {
    /// What the hook calls it: as the operator wrote it.
    pub guest: String,
    /// What was in it when the call began.
    pub before: Arc<FileTree>,
    /// What was in it when the call had ended, if the hook may write there.
    pub after: Option<Arc<FileTree>>,
}

/// What is in a directory: everything by its path in it, with the names of a path joined by `/`. The directory itself has
/// the path "".
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileTree(pub BTreeMap<String, FileEntry>);

/// Something in a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileEntry {
    /// What it is.
    pub kind: FileKind,
    /// When it was modified last, since 1970. Earlier times count as 1970.
    pub modified: Duration,
}

/// What something in a directory is.
#[derive(Clone, PartialEq, Eq)]
pub enum FileKind {
    /// A directory.
    Directory,
    /// A file with this content.
    File(Arc<[u8]>),
    /// A symbolic link to this path.
    Link(String),
}

/// Without the content.
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
    /// Whether the same is in both, whenever it was modified.
    pub(crate) fn has_same_files(&self, other: &Self) -> bool {
        self.0.len() == other.0.len()
            && self
                .0
                .iter()
                .zip(&other.0)
                .all(|((path, one), (same, other))| path == same && one.kind == other.kind)
    }
}
