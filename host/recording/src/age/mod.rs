//! Encryption at rest: files of age, for X25519 keys.

mod file;
mod keys;

pub(crate) use file::{decrypt, encrypt, is_encrypted};
pub use keys::{Identities, Recipient};
