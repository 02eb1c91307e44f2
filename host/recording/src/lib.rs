//! Recorded calls of hooks: how they are written down, and read again.
//!
//! Calls are written into blocks. A block is a text of lines, compressed. It stands by
//! itself: what its calls share, such as a conversation or the setup of a hook, is in it once.
//!
//! # Format
//!
//! The first line is the format's number. Of the others, the first letter says what they are, and JSON follows:
//!
//! | letter | line |
//! | --- | --- |
//! | `S` | the setup of a hook |
//! | `V` | a value that calls share: a view, or what is in a directory |
//! | `C` | a call, which names setups and values by their numbers in the block, from 0 |
//!
//! Values of the contract have the names of Rust, since only the host reads them.
//!
//! What files have in them is kept beside the blocks, each content once, by the name that blocks call it.
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
