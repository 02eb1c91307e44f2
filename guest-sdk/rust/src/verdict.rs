//! A view of the chain's decision, for hooks that observe.

pub use crate::bindings::portcullis::hooks::verdict::{ChainVerdict, Decision, HookFailure};

/// Returns the verdict on the current call; none while the chain still runs.
pub fn current() -> Option<ChainVerdict> {
    crate::imports::verdict::current()
}
