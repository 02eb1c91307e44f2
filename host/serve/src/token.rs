//! The token of requests over TCP.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::place::private;

/// How many random bytes a token has.
const BYTES: usize = 32;

/// What a request over TCP must have as its bearer token. It is kept as a hash.
#[derive(Clone)]
pub(crate) struct Token(blake3::Hash);

impl Token {
    /// Makes a token that nobody can guess, and writes it to a file that only its user can read.
    ///
    /// # Errors
    ///
    /// The system gives no random bytes, or the file cannot be written.
    pub(crate) fn make(path: &Path) -> io::Result<Self> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        let token = URL_SAFE_NO_PAD.encode(bytes);
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut file = private(OpenOptions::new().write(true).create_new(true)).open(path)?;
        file.write_all(token.as_bytes())?;
        Ok(Self(blake3::hash(token.as_bytes())))
    }

    /// Whether the value of a header `Authorization` has it. It takes as long whatever differs: the comparison of
    /// hashes takes constant time.
    pub(crate) fn is_in(&self, header: Option<&[u8]>) -> bool {
        let token = header.and_then(|header| header.strip_prefix(b"Bearer "));
        token.is_some_and(|token| blake3::hash(token) == self.0)
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token")
    }
}
