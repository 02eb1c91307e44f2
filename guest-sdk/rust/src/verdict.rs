//! A view of what the chain has decided, for hooks that look on.

pub use crate::bindings::portcullis::hooks::verdict::{ChainVerdict, Decision, current};
