//! The file with the token of requests over TCP.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use portcullis_access::Token;

use crate::place::private;

/// Makes a token, and writes it to a file that only its user can read.
///
/// # Errors
///
/// The system provides no random bytes, or the file cannot be written.
pub(crate) fn make(path: &Path) -> io::Result<Token> {
    let (token, text) = Token::random().map_err(io::Error::other)?;
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = private(OpenOptions::new().write(true).create_new(true)).open(path)?;
    file.write_all(text.as_bytes())?;
    Ok(token)
}
