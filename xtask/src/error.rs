//! Errors of the commands.

use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::Path;

/// The result of a command.
pub type Result<T> = std::result::Result<T, Error>;

/// The fault and, if known, its fix.
#[derive(Debug)]
pub struct Error(String);

impl Error {
    /// Creates an error with this message.
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }

    /// Creates an error for a file or directory that could not be read or written. `does` is the
    /// verb.
    pub fn file(does: &str, path: &Path, cause: &io::Error) -> Self {
        Self(format!("cannot {does} {}: {cause}", path.display()))
    }

    /// Creates an error for a program that could not be started.
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
