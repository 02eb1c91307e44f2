//! Blocks of calls.

use std::collections::BTreeSet;

use crate::age::{self, Recipient};
use crate::error::RecordingError;
use crate::files::NamedContent;

/// The format that is written.
pub const FORMAT: u32 = 1;

/// What is known of a block without reading it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// When its first call began, in milliseconds since 1970.
    pub first_ms: u64,
    /// When its last call began.
    pub last_ms: u64,
    /// How many calls it has.
    pub calls: usize,
    /// The hooks of its calls.
    pub hooks: BTreeSet<String>,
}

/// A block that is written.
#[derive(Debug)]
pub struct Block {
    /// What it has.
    pub summary: Summary,
    /// Its bytes, compressed.
    pub bytes: Vec<u8>,
    /// How long its text is.
    pub raw: usize,
    /// The contents of the files that its calls could read, each once.
    pub contents: Vec<NamedContent>,
}

impl Block {
    /// The block as a file of age that each of the recipients can read. Without recipients it stays as it is. Contents are
    /// encrypted when they are [stored](NamedContent::stored).
    ///
    /// # Errors
    ///
    /// The system gives no random numbers, or a recipient is no point of the curve.
    pub fn encrypted(mut self, recipients: &[Recipient]) -> Result<Self, RecordingError> {
        if !recipients.is_empty() {
            self.bytes = age::encrypt(&self.bytes, recipients)?;
        }
        Ok(self)
    }
}
