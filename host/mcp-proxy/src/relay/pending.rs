//! The requests that the server has not answered.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;

use super::batch::Reply;
use super::tasks::TaskCall;
use crate::message::{Id, Message};

/// The maximum number of open requests.
const MOST: usize = 1_024;

/// The maximum number of cancelled requests whose answers are awaited.
const MOST_CANCELLED: usize = 64;

/// The requests that the server has not answered, and the calls that have not reached it.
pub(super) struct Pending {
    requests: Mutex<HashMap<Id, Entry>>,
    tokens: Mutex<HashMap<Id, Progress>>,
    /// The most recent requests that were cancelled after they reached the server.
    cancelled: Mutex<VecDeque<(Id, Ticket)>>,
    /// The number of calls that have not reached the server.
    held_back: watch::Sender<usize>,
    /// The number of accepted requests.
    accepted: AtomicU64,
}

/// An accepted request.
struct Entry {
    ticket: Ticket,
    request: Request,
}

/// Distinguishes an accepted request from a later one with the same id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ticket(u64);

impl Default for Pending {
    fn default() -> Self {
        Self {
            requests: Mutex::default(),
            tokens: Mutex::default(),
            cancelled: Mutex::default(),
            held_back: watch::channel(0).0,
            accepted: AtomicU64::new(0),
        }
    }
}

/// A request.
pub(super) struct Request {
    pub(super) waiting: Waiting,
    pub(super) reply: Reply,
    /// The progress token of the request.
    pub(super) token: Option<Id>,
}

/// The receiver of an answer.
pub(super) enum Waiting {
    /// The client, which gets the answer unchanged.
    Client,
    /// The client, for a task's state that may hold a tool's result.
    Task(TaskCall),
    /// A call.
    Call(CallHandle),
    /// The client, for a list of tools that the proxy creates. The token is cancelled if the client
    /// cancels the request.
    List(CancellationToken),
    /// The proxy.
    Proxy(oneshot::Sender<Message>),
}

impl Waiting {
    /// Returns whether the server has the request, or is about to receive it.
    fn is_forwarded(&self) -> bool {
        match self {
            Self::Client | Self::Task(_) | Self::Proxy(_) => true,
            Self::Call(call) => call.is_forwarded,
            Self::List(_) => false,
        }
    }
}

/// The handle of a running call.
#[derive(Clone)]
pub(super) struct CallHandle {
    pub(super) inbox: mpsc::Sender<ToCall>,
    /// Cancelled if the client cancels the call.
    pub(super) cancel: CancellationToken,
    /// Whether the call has reached the server.
    pub(super) is_forwarded: bool,
}

/// A message from the server about a call.
pub(super) enum ToCall {
    Progress(Message),
    Answer(Message),
    /// The call's answer cannot be passed on, for this reason.
    Failed(String),
}

/// The request that a progress token belongs to.
#[derive(Clone)]
pub(super) enum Progress {
    /// A call.
    Call(mpsc::Sender<ToCall>),
    /// Another request.
    Other,
}

/// The reason that a request is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum NotAccepted {
    #[error("a request with this id has no answer yet")]
    Twice,
    #[error("there are too many requests at once; the limit is {MOST}")]
    TooMany,
}

impl Pending {
    /// Accepts a request. A call counts as one that has not reached the server. The limit does not
    /// apply to the proxy's own requests, because without them it could not list tools.
    pub(super) fn accept(&self, id: &Id, request: Request) -> Result<Ticket, NotAccepted> {
        let mut requests = self.requests.lock();
        if requests.contains_key(id) {
            return Err(NotAccepted::Twice);
        }
        if requests.len() >= MOST && !matches!(&request.waiting, Waiting::Proxy(_)) {
            return Err(NotAccepted::TooMany);
        }
        if let Some(token) = &request.token {
            let progress = match &request.waiting {
                Waiting::Call(call) => Progress::Call(call.inbox.clone()),
                _ => Progress::Other,
            };
            self.tokens.lock().insert(token.clone(), progress);
        }
        if matches!(&request.waiting, Waiting::Call(call) if !call.is_forwarded) {
            self.held_back.send_modify(|count| *count += 1);
        }
        let ticket = Ticket(self.accepted.fetch_add(1, Ordering::Relaxed));
        requests.insert(id.clone(), Entry { ticket, request });
        Ok(ticket)
    }

    /// Removes a request. It is answered, or will not be.
    pub(super) fn take(&self, id: &Id) -> Option<Request> {
        self.take_if(id, |_| true)
    }

    /// Removes this request, but not a later one with the same id.
    pub(super) fn take_own(&self, id: &Id, ticket: Ticket) -> Option<Request> {
        self.take_if(id, |entry| entry.ticket == ticket)
    }

    /// Removes a request that the server answers. `None` if the server has no request with this id.
    pub(super) fn take_answered(&self, id: &Id) -> Option<Request> {
        self.take_if(id, |entry| entry.request.waiting.is_forwarded())
    }

    fn take_if(&self, id: &Id, is_meant: impl FnOnce(&Entry) -> bool) -> Option<Request> {
        let mut requests = self.requests.lock();
        if !requests.get(id).is_some_and(is_meant) {
            return None;
        }
        let Entry { request, .. } = requests.remove(id)?;
        if let Some(token) = &request.token {
            self.tokens.lock().remove(token);
        }
        if matches!(&request.waiting, Waiting::Call(call) if !call.is_forwarded) {
            self.held_back.send_modify(|count| *count -= 1);
        }
        Some(request)
    }

    /// Removes a request when the guard is dropped.
    pub(super) fn taken_at_the_end<'a>(&'a self, id: &'a Id) -> impl Drop + use<'a> {
        struct Guard<'a>(&'a Pending, &'a Id);
        impl Drop for Guard<'_> {
            fn drop(&mut self) {
                self.0.take(self.1);
            }
        }
        Guard(self, id)
    }

    /// Marks a call as forwarded to the server. Returns `false` if it was cancelled, or the server
    /// is gone.
    pub(super) fn forward(&self, id: &Id, ticket: Ticket) -> bool {
        let mut requests = self.requests.lock();
        let entry = requests.get_mut(id).filter(|it| it.ticket == ticket);
        match entry.map(|it| &mut it.request.waiting) {
            Some(Waiting::Call(call)) if !call.is_forwarded => {
                call.is_forwarded = true;
                true
            }
            _ => false,
        }
    }

    /// Records that a forwarded call is queued for the server.
    pub(super) fn is_queued(&self) {
        self.held_back.send_modify(|count| *count -= 1);
    }

    /// Waits until every call has reached the server or ended.
    pub(super) async fn forwarded(&self) {
        let _ = self
            .held_back
            .subscribe()
            .wait_for(|count| *count == 0)
            .await;
    }

    /// Cancels a request. Returns `true` if the request has not reached the server; it is then
    /// never sent. A request that has reached the server may still be answered; only a limited
    /// number of such answers is awaited.
    pub(super) fn cancel(&self, id: &Id) -> bool {
        if let Some(request) = self.take_if(id, |entry| !entry.request.waiting.is_forwarded()) {
            if let Waiting::Call(CallHandle { cancel, .. }) | Waiting::List(cancel) =
                &request.waiting
            {
                cancel.cancel();
            }
            request.reply.none();
            return true;
        }
        let ticket = match self.requests.lock().get(id) {
            None => return false,
            Some(entry) => {
                if let Waiting::Call(call) = &entry.request.waiting {
                    call.cancel.cancel();
                }
                entry.ticket
            }
        };
        let mut cancelled = self.cancelled.lock();
        cancelled.push_back((id.clone(), ticket));
        let too_many = cancelled.len() > MOST_CANCELLED;
        let oldest = too_many.then(|| cancelled.pop_front()).flatten();
        drop(cancelled);
        if let Some(request) = oldest.and_then(|(id, ticket)| self.take_own(&id, ticket)) {
            request.reply.none();
        }
        false
    }

    /// Returns whether the answer to this request is passed on unchanged and alone.
    pub(super) fn is_plain(&self, id: &Id) -> bool {
        let requests = self.requests.lock();
        let request = requests.get(id).map(|entry| &entry.request);
        request
            .is_some_and(|it| matches!((&it.waiting, &it.reply), (Waiting::Client, Reply::Alone)))
    }

    /// Returns the request that the progress token belongs to.
    pub(super) fn progress(&self, token: &Id) -> Option<Progress> {
        self.tokens.lock().get(token).cloned()
    }

    /// Removes and returns all requests except those for lists of tools, which the proxy answers
    /// itself.
    pub(super) fn clear(&self) -> Vec<(Id, Request)> {
        self.tokens.lock().clear();
        let mut requests = self.requests.lock();
        let taken = requests
            .extract_if(|_, entry| !matches!(entry.request.waiting, Waiting::List(_)))
            .map(|(id, entry)| (id, entry.request));
        taken.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(waiting: Waiting) -> Request {
        Request {
            waiting,
            reply: Reply::Alone,
            token: None,
        }
    }

    #[test]
    fn what_ends_a_request_leaves_a_later_one_with_its_id() {
        let (pending, id) = (Pending::default(), Id::from("again"));
        let first = pending.accept(&id, request(Waiting::Client)).unwrap();
        assert!(!pending.cancel(&id));
        // The request is answered nevertheless.
        assert!(pending.take_answered(&id).is_some());
        pending.accept(&id, request(Waiting::Client)).unwrap();
        assert!(pending.take_own(&id, first).is_none());
        for number in 0..MOST_CANCELLED {
            let other = Id::from(number.to_string().as_str());
            pending.accept(&other, request(Waiting::Client)).unwrap();
            pending.cancel(&other);
        }
        assert!(pending.take(&id).is_some());
    }

    #[test]
    fn the_server_answers_only_what_it_has() {
        let (pending, id) = (Pending::default(), Id::from("list"));
        let cancel = CancellationToken::new();
        let list = request(Waiting::List(cancel.clone()));
        let ticket = pending.accept(&id, list).unwrap();
        assert!(pending.take_answered(&id).is_none());
        assert!(pending.cancel(&id) && cancel.is_cancelled());
        assert!(pending.take_own(&id, ticket).is_none());
    }
}
