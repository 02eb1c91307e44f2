//! The file that `portcullis init` writes.

/// A commented file that runs without a network and without a key.
pub const SAMPLE: &str = include_str!("sample.toml");
