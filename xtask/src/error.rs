//! Errors of the commands.

use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::Path;

/// The result of a command.
pub type Result<T> = std::result::Result<T, Error>;

/// What went wrong and, if it is known, how to fix it.
#[derive(Debug)]
pub struct Error(String);

impl Error {
    /// An error with this message.
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }

    /// A file or directory could not be read, written or whatever else it `does`.
    pub fn file(does: &str, path: &Path, cause: &io::Error) -> Self {
        Self(format!("cannot {does} {}: {cause}", path.display()))
    }

    /// A program could not be started.
    pub fn start(program: &str, cause: &io::Error) -> Self {
        Self(format!("cannot start `{program}`: {cause}"))
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}
