//! Calls that wait for a person.

use std::collections::VecDeque;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use portcullis::Session;
use portcullis::approval::ApprovalDecision;

use super::decided::AnyDecided;
use crate::call;
use crate::error::BridgeError;
use crate::record::Noted;
use crate::reply::CallReply;

/// The maximum number of pending calls of a session. Another one replaces the oldest.
const MOST: usize = 64;

/// A call that may wait for a person, and the data for the journal once the call is decided.
pub(super) struct Waiting {
    pub(super) decided: Box<dyn AnyDecided>,
    pub(super) noted: Option<Noted>,
}

/// The calls of a session that wait for a person, the oldest first, each under its id.
#[derive(Default)]
pub(crate) struct Pending(Mutex<VecDeque<(u64, Waiting)>>);

impl Pending {
    /// Keeps a call, and returns its id.
    pub(super) fn keep(&self, call: Waiting) -> u64 {
        let id = new_id();
        let mut calls = self.0.lock();
        calls.push_back((id, call));
        if calls.len() > MOST {
            calls.pop_front();
        }
        id
    }

    fn take(&self, id: u64) -> Option<Waiting> {
        let mut calls = self.0.lock();
        let at = calls.iter().position(|(other, _)| *other == id)?;
        calls.remove(at).map(|(_, call)| call)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.lock().is_empty()
    }

    /// Continues a call with a person's decision.
    pub(crate) async fn answer(
        &self,
        session: &Session,
        id: u64,
        says: ApprovalDecision,
    ) -> Result<CallReply, BridgeError> {
        match self.take(id) {
            Some(Waiting { decided, noted }) => {
                let decided = decided.answer(session, says).await;
                call::finish(session, Waiting { decided, noted }, self).await
            }
            None => Err(BridgeError::NoQuestion {
                session: session.id().to_owned(),
                id,
            }),
        }
    }
}

/// Returns an id that belongs to no other question: not to one of another session, bridge or
/// process, nor to one of the same session before it was closed. Otherwise a late answer would
/// decide a question that nobody was asked. It cannot be guessed, and has at most 53 bits, so that
/// JavaScript reads it exactly.
fn new_id() -> u64 {
    static KEY: LazyLock<RandomState> = LazyLock::new(RandomState::new);
    static LAST: AtomicU64 = AtomicU64::new(0);
    let number = LAST.fetch_add(1, Ordering::Relaxed);
    // A forked process has the same key and the same last number.
    KEY.hash_one((std::process::id(), number)) >> 11
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn ids_differ_and_are_exact_in_javascript() {
        let ids: HashSet<u64> = (0..1_000).map(|_| new_id()).collect();
        assert_eq!(ids.len(), 1_000);
        assert!(ids.iter().all(|id| *id < 1 << 53));
        assert!(ids.iter().any(|id| *id > 1 << 40), "they do not count");
    }
}
