//! Errors, with the fix for each.

use std::io;
use std::path::{Path, PathBuf};

use portcullis::verdict::Digest;

/// A component cannot be fetched, checked or published.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The text names no source.
    #[error("`{text}` names no component: {why}")]
    Source {
        /// The text.
        text: String,
        /// The fault in the reference.
        why: String,
    },
    /// A file cannot be read.
    #[error("{}: {why}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause and the fix.
        why: String,
    },
    /// A server cannot be reached, or does not answer as it should.
    #[error("{url}: {why}")]
    Server {
        /// The address.
        url: String,
        /// The cause and the fix.
        why: String,
    },
    /// The server does not have the named artifact or file.
    #[error(
        "{0} does not exist, or may not be read: check the name, and log in with `docker login` if it is private"
    )]
    NotFound(String),
    /// The answer has more bytes than it may have.
    #[error("{what} is larger than the limit of {most} bytes")]
    TooLarge {
        /// The address or reference that was fetched.
        what: String,
        /// The most bytes.
        most: u64,
    },
    /// The received bytes do not have the named digest.
    #[error(
        "{what} was changed on the way: its digest is sha256:{found}, and sha256:{expected} was named"
    )]
    Digest {
        /// The address or reference that was fetched.
        what: String,
        /// The digest of the received bytes.
        found: Digest,
        /// The digest that was named.
        expected: Digest,
    },
    /// The file is not a component.
    #[error("{what} is no WebAssembly component: {why}")]
    NoComponent {
        /// The name of the artifact or file.
        what: String,
        /// The reason.
        why: String,
    },
    /// The credentials cannot be used.
    #[error("the credentials for {registry} cannot be read from Docker's configuration: {why}")]
    Credentials {
        /// The registry.
        registry: String,
        /// The cause and the fix.
        why: String,
    },
    /// A key cannot be used.
    #[error("the key {}: {why}", path.display())]
    Key {
        /// Its file.
        path: PathBuf,
        /// The cause and the fix.
        why: String,
    },
    /// Nothing can be signed.
    #[error("signing failed: {0}")]
    Signing(String),
    /// A value to be pushed cannot be written as JSON.
    #[error("what is to be pushed cannot be written as JSON: {0}")]
    Json(String),
    /// A push failed.
    #[error("{what} cannot be pushed: {why}")]
    Push {
        /// The reference that was pushed.
        what: String,
        /// The cause.
        why: String,
    },
}

impl Error {
    /// Returns a file that cannot be read.
    pub(crate) fn unreadable(path: &Path, error: &io::Error) -> Self {
        let why = match error.kind() {
            io::ErrorKind::NotFound => "it does not exist; name a file that exists".to_owned(),
            _ => format!("it cannot be read: {error}; name a file that you may read"),
        };
        Self::File {
            path: path.to_owned(),
            why,
        }
    }
}
