//! Hooks' state.
//!
//! Plain writes of a call are held until it succeeds. Atomic operations take effect at once, so
//! that two sessions cannot both take the last part of a budget, and are undone if the call fails.
//!
//! A session's private state is in memory while the session is open. With a [`StateStore`], the
//! host reads it from the store when the session is opened, and writes it after each call that
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

/// The owner of state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Namespace {
    /// One hook in one session.
    Private { opening: u64, hook: Arc<str> },
    /// All hooks to which the operator grants the namespace.
    Shared(Arc<str>),
}

/// The reason that state could not be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StateFault {
    TooManyKeys(usize),
    TooManyBytes(usize),
    NotANumber,
}

#[cfg(test)]
mod tests;
