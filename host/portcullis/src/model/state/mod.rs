//! Where hooks keep what they remember.
//!
//! Plain writes of a call are held back until it succeeds. Atomic operations take effect at once,
//! so that two sessions cannot both take the last of a budget, and are undone if the call fails.
//!
//! A session's private state is in memory while the session is open. Where the host has a
//! [`StateStore`], it is read from there when the session is opened, and written after each call that
//! changed it. Shared state is then in the store alone, since other processes use it too.

mod held;
mod ledger;
mod memory;
mod number;
mod quota;
mod shared;
mod store;
mod stored;
mod transaction;
mod undo;
mod when;
mod writer;

use std::sync::Arc;

pub use memory::{MemoryState, PrivateState};
pub(crate) use quota::Quota;
pub use store::{
    Current, Edit, EditKey, PrivateEntry, PrivateKey, SharedKey, StateStore, StateStoreError,
    Writes,
};
pub use stored::StoredState;
pub(crate) use transaction::Transaction;
pub use when::WriteState;
pub(crate) use writer::StateWriter;

/// Whose state it is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Namespace {
    /// One hook's in one session.
    Private { opening: u64, hook: Arc<str> },
    /// Everybody's to whom the operator grants it.
    Shared(Arc<str>),
}

/// Why state could not be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StateFault {
    TooManyKeys(usize),
    TooManyBytes(usize),
    NotANumber,
}

#[cfg(test)]
mod tests;
