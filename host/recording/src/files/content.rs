//! The contents of files. Each is stored once, beside the blocks, under a name.

use std::sync::Arc;

use portcullis::verdict::Digest;

use crate::age::{self, Identities, Recipient};
use crate::compression;
use crate::error::RecordingError;

/// The naming of file contents.
#[derive(Debug, Clone, Default)]
pub struct Naming(Vec<u8>);

impl Naming {
    /// Returns names by digest, so that a content has one name in every process.
    pub fn by_digest() -> Self {
        Self::default()
    }

    /// Returns random names that do not reveal the content, for encrypted recordings. A content
    /// keeps its name for as long as this value is used.
    ///
    /// # Errors
    ///
    /// The system gives no random numbers.
    pub fn hidden() -> Result<Self, RecordingError> {
        Ok(Self(age::random()?.to_vec()))
    }

    pub(super) fn name(&self, content: &[u8]) -> String {
        Digest::of(&[&self.0, content].concat()).to_string()
    }
}

/// The content of a file, with a name.
#[derive(Debug, Clone)]
pub struct NamedContent {
    /// Its name.
    pub name: String,
    /// The file's content.
    pub content: Arc<[u8]>,
}

impl NamedContent {
    /// Returns the content as it is stored: compressed, and encrypted if there are recipients.
    ///
    /// # Errors
    ///
    /// The content cannot be encrypted.
    pub fn stored(&self, recipients: &[Recipient]) -> Result<Vec<u8>, RecordingError> {
        let bytes = compression::compress(&self.content);
        match recipients {
            [] => Ok(bytes),
            recipients => age::encrypt(&bytes, recipients),
        }
    }
}

/// Reads the content of a file that was [stored](NamedContent::stored).
///
/// # Errors
///
/// The content is damaged, or encrypted for others than these identities.
pub fn content(bytes: &[u8], identities: &Identities) -> Result<Arc<[u8]>, RecordingError> {
    let bytes = age::plain(bytes, identities)?;
    Ok(compression::decompress(&bytes)?.into())
}
