//! Calls that wait for a person.

use std::collections::BTreeMap;

use parking_lot::Mutex;
use portcullis::Session;
use portcullis::approval::ApprovalDecision;

use super::decided::AnyDecided;
use crate::call;
use crate::error::BridgeError;
use crate::record::Noted;
use crate::reply::CallReply;

/// The most calls of a session that wait. One more replaces the oldest.
const MOST: usize = 64;

/// A call that may wait for a person, and what the journal gets of it once it is decided.
pub(super) struct Waiting {
    pub(super) decided: Box<dyn AnyDecided>,
    pub(super) noted: Option<Noted>,
}

/// The calls of a session that wait for a person.
#[derive(Default)]
pub(crate) struct Pending(Mutex<Calls>);

#[derive(Default)]
struct Calls {
    last: u64,
    calls: BTreeMap<u64, Waiting>,
}

impl Pending {
    /// Keeps a call, and gives its id.
    pub(super) fn keep(&self, call: Waiting) -> u64 {
        let mut waiting = self.0.lock();
        waiting.last += 1;
        let id = waiting.last;
        waiting.calls.insert(id, call);
        if waiting.calls.len() > MOST {
            waiting.calls.pop_first();
        }
        id
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.lock().calls.is_empty()
    }

    /// Continues a call with what a person decided.
    pub(crate) async fn answer(
        &self,
        session: &Session,
        id: u64,
        says: ApprovalDecision,
    ) -> Result<CallReply, BridgeError> {
        let call = self.0.lock().calls.remove(&id);
        match call {
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
