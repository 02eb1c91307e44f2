//! A view of what the chain has decided, for hooks that observe.

pub use crate::bindings::portcullis::hooks::verdict::{ChainVerdict, Decision, HookFailure};

/// The verdict on the current call; nothing while the chain still runs.
pub fn current() -> Option<ChainVerdict> {
    crate::imports::verdict::current()
}
