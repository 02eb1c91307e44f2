//! Errors of files.

use std::io;
use std::path::{Path, PathBuf};

/// A file or a directory could not be used.
#[derive(Debug, thiserror::Error)]
#[error("cannot {does} {}: {cause}", path.display())]
pub struct FileError {
    does: &'static str,
    path: PathBuf,
    cause: io::Error,
}

impl FileError {
    /// Creates an error from the failed action, such as reading or writing, and its cause.
    pub fn new(does: &'static str, path: &Path, cause: io::Error) -> Self {
        Self {
            does,
            path: path.to_owned(),
            cause,
        }
    }

    /// Returns the system's error.
    pub fn cause(&self) -> &io::Error {
        &self.cause
    }
}

/// Writes a file and the directories it is in.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    if let Some(dir) = path.parent() {
        std::fs::create_dir_all(dir).map_err(|cause| FileError::new("make", dir, cause))?;
    }
    std::fs::write(path, bytes).map_err(|cause| FileError::new("write", path, cause))
}

/// Reads a file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, FileError> {
    std::fs::read(path).map_err(|cause| FileError::new("read", path, cause))
}
