//! Encryption at rest: files of age, for X25519 keys.

mod file;
mod keys;

use std::borrow::Cow;

use crate::error::RecordingError;
pub(crate) use file::encrypt;
use file::{decrypt, is_encrypted};
pub use keys::{Identities, Recipient};

/// Returns the stored bytes, decrypted if they are encrypted.
pub(crate) fn plain<'a>(
    bytes: &'a [u8],
    identities: &Identities,
) -> Result<Cow<'a, [u8]>, RecordingError> {
    match is_encrypted(bytes) {
        true => Ok(Cow::Owned(decrypt(bytes, identities)?)),
        false => Ok(Cow::Borrowed(bytes)),
    }
}

/// Returns random bytes of the system.
pub(crate) fn random() -> Result<[u8; 32], RecordingError> {
    let mut random = [0; 32];
    aws_lc_rs::rand::fill(&mut random).map_err(|_| RecordingError::Encryption)?;
    Ok(random)
}
