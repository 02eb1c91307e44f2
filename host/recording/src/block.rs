//! Blocks of calls.

use std::collections::BTreeSet;

use crate::age::{self, Recipient};
use crate::error::RecordingError;
use crate::files::NamedContent;

/// The version of the format that is written.
pub const FORMAT: u32 = 1;

/// The facts about a block that are known without reading it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// The start of its first call, in milliseconds since 1970.
    pub first_ms: u64,
    /// The start of its last call.
    pub last_ms: u64,
    /// The number of its calls.
    pub calls: usize,
    /// The hooks of its calls.
    pub hooks: BTreeSet<String>,
}

/// A finished block.
#[derive(Debug)]
pub struct Block {
    /// The summary of the block's calls.
    pub summary: Summary,
    /// Its bytes, compressed.
    pub bytes: Vec<u8>,
    /// The length of its text.
    pub raw: usize,
    /// The contents of the files that its calls could read, each once.
    pub contents: Vec<NamedContent>,
}

impl Block {
    /// Returns the block as a file of age that each of the recipients can read. Without recipients
    /// it stays as it is. Contents are encrypted when they are [stored](NamedContent::stored).
    ///
    /// # Errors
    ///
    /// The system gives no random numbers, or a recipient is not a point of the curve.
    pub fn encrypted(mut self, recipients: &[Recipient]) -> Result<Self, RecordingError> {
        if !recipients.is_empty() {
            self.bytes = age::encrypt(&self.bytes, recipients)?;
        }
        Ok(self)
    }
}
