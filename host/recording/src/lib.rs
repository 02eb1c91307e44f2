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
//! | `V` | a value that calls share: a view |
//! | `C` | a call, which names setups and values by their numbers in the block, from 0 |
//!
//! Values of the contract have the names of Rust, since only the host reads them.
//!
//! With [`Recipient`]s, a block is a file of [age](https://age-encryption.org/v1) that holds the block.

mod age;
mod block;
mod call;
mod error;
mod redact;

pub use age::{Identities, Recipient};
pub use block::{Block, BlockWriter, FORMAT, Summary, ended, read};
pub use call::{Outcome, StoredCall};
pub use error::RecordingError;
pub use redact::{Redaction, Rule};
