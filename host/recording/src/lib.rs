//! Recorded calls of hooks: writing and reading them.
//!
//! Calls are written into blocks. A block is a compressed text of lines. A block is self-contained:
//! a value that its calls share, such as a conversation or a hook's setup, is in the block once.
//!
//! # Format
//!
//! The first line is the format's number. The first letter of every other line is its kind, and
//! JSON follows:
//!
//! | letter | line |
//! | --- | --- |
//! | `S` | a hook's setup |
//! | `V` | a value that calls share: a view, or a directory's entries |
//! | `C` | a call, which names setups and values by their numbers in the block, from 0 |
//!
//! Values of the contract have Rust names, since only the host reads them.
//!
//! File contents are kept beside the blocks, each content once, under the name that blocks use for
//! it.
//!
//! With [`Recipient`]s, a block is a file of [age](https://age-encryption.org/v1) that holds the block.

mod age;
mod block;
mod call;
mod compression;
mod error;
mod files;
mod fits;
mod json;
mod outcome;
mod reader;
mod redact;
mod writer;

pub use age::{Identities, Recipient};
pub use block::{Block, FORMAT, Summary};
pub use call::{Outcome, StoredCall};
pub use error::RecordingError;
pub use files::{
    FileChanges, NamedContent, Naming, StoredDirectory, StoredEntry, StoredKind, StoredTree,
    content, file_changes, within,
};
pub use outcome::ended;
pub use reader::read;
pub use redact::{Redaction, Rule};
pub use writer::BlockWriter;
