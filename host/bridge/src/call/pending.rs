//! Calls that wait for a person.

use std::collections::BTreeMap;

use futures::future::BoxFuture;
use parking_lot::Mutex;
use portcullis::approval::ApprovalDecision;
use portcullis::json::JsonPoint;
use portcullis::session::Decided;
use portcullis::{Call, Session};

use crate::call;
use crate::error::BridgeError;
use crate::reply::CallReply;

/// The most calls of a session that wait. One more replaces the oldest.
const MOST: usize = 64;

/// The calls of a session that wait for a person.
#[derive(Default)]
pub(crate) struct Pending(Mutex<Waiting>);

#[derive(Default)]
struct Waiting {
    last: u64,
    calls: BTreeMap<u64, Box<dyn WaitingCall>>,
}

impl Pending {
    /// Keeps a call, and gives its id.
    pub(crate) fn keep<P: JsonPoint>(&self, call: Call<P>, decided: Decided<P>) -> u64 {
        let mut waiting = self.0.lock();
        waiting.last += 1;
        let id = waiting.last;
        waiting.calls.insert(id, Box::new(Kept { call, decided }));
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
            Some(call) => call.answer(session, says, self).await,
            None => Err(BridgeError::NoQuestion {
                session: session.id().to_owned(),
                id,
            }),
        }
    }
}

trait WaitingCall: Send {
    fn answer<'a>(
        self: Box<Self>,
        session: &'a Session,
        says: ApprovalDecision,
        pending: &'a Pending,
    ) -> BoxFuture<'a, Result<CallReply, BridgeError>>;
}

struct Kept<P: JsonPoint> {
    call: Call<P>,
    decided: Decided<P>,
}

impl<P: JsonPoint> WaitingCall for Kept<P> {
    fn answer<'a>(
        self: Box<Self>,
        session: &'a Session,
        says: ApprovalDecision,
        pending: &'a Pending,
    ) -> BoxFuture<'a, Result<CallReply, BridgeError>> {
        Box::pin(async move {
            let Self { mut call, decided } = *self;
            let decided = session.answer(&mut call, decided, says).await;
            call::finish(session, call, decided, pending).await
        })
    }
}
