//! The requests that the server has not answered.

use std::collections::{HashMap, VecDeque};

use parking_lot::Mutex;
use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;

use super::batch::Reply;
use super::tasks::TaskCall;
use crate::message::{Id, Message};

/// The most requests at once.
const MOST: usize = 1_024;

/// The most cancelled requests whose answers are waited for.
const MOST_CANCELLED: usize = 64;

/// The requests that the server has not answered, and the calls that have not reached it.
pub(super) struct Pending {
    requests: Mutex<HashMap<Id, Request>>,
    tokens: Mutex<HashMap<Id, Progress>>,
    /// The last that were cancelled after they reached the server.
    cancelled: Mutex<VecDeque<Id>>,
    /// How many calls have not reached the server.
    held_back: watch::Sender<usize>,
}

impl Default for Pending {
    fn default() -> Self {
        Self {
            requests: Mutex::default(),
            tokens: Mutex::default(),
            cancelled: Mutex::default(),
            held_back: watch::channel(0).0,
        }
    }
}

/// A request.
pub(super) struct Request {
    pub(super) waiting: Waiting,
    pub(super) reply: Reply,
    /// The token of its progress.
    pub(super) token: Option<Id>,
}

/// Who waits for an answer.
pub(super) enum Waiting {
    /// The client, for the answer as it comes.
    Client,
    /// The client, for a task's state that may hold a tool's result.
    Task(TaskCall),
    /// A call.
    Call(CallHandle),
    /// The proxy.
    Proxy(oneshot::Sender<Message>),
}

/// What belongs to a call while it runs.
#[derive(Clone)]
pub(super) struct CallHandle {
    pub(super) inbox: mpsc::Sender<ToCall>,
    /// Cancelled if the client cancels the call.
    pub(super) cancel: CancellationToken,
    /// Whether it has reached the server.
    pub(super) is_forwarded: bool,
}

/// What the server sends about a call.
pub(super) enum ToCall {
    Progress(Message),
    Answer(Message),
    /// Its answer cannot be passed on, for this reason.
    Failed(String),
}

/// Whose progress a token stands for.
#[derive(Clone)]
pub(super) enum Progress {
    /// A call's.
    Call(mpsc::Sender<ToCall>),
    /// That of another request.
    Other,
}

/// Why a request is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum NotAccepted {
    #[error("a request with this id has no answer yet")]
    Twice,
    #[error("there are too many requests at once; the limit is {MOST}")]
    TooMany,
}

impl Pending {
    /// Accepts a request. A call counts as one that has not reached the server.
    pub(super) fn accept(&self, id: &Id, request: Request) -> Result<(), NotAccepted> {
        let mut requests = self.requests.lock();
        if requests.contains_key(id) {
            return Err(NotAccepted::Twice);
        }
        if requests.len() >= MOST {
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
        requests.insert(id.clone(), request);
        Ok(())
    }

    /// Takes a request out: it is answered, or will not be.
    pub(super) fn take(&self, id: &Id) -> Option<Request> {
        let request = self.requests.lock().remove(id)?;
        if let Some(token) = &request.token {
            self.tokens.lock().remove(token);
        }
        if matches!(&request.waiting, Waiting::Call(call) if !call.is_forwarded) {
            self.held_back.send_modify(|count| *count -= 1);
        }
        Some(request)
    }

    /// Takes a request out when the guard is dropped.
    pub(super) fn taken_at_the_end<'a>(&'a self, id: &'a Id) -> impl Drop + use<'a> {
        struct Guard<'a>(&'a Pending, &'a Id);
        impl Drop for Guard<'_> {
            fn drop(&mut self) {
                self.0.take(self.1);
            }
        }
        Guard(self, id)
    }

    /// Marks a call as one that reaches the server. `false` if it was cancelled.
    pub(super) fn forward(&self, id: &Id) -> bool {
        match self.requests.lock().get_mut(id).map(|it| &mut it.waiting) {
            Some(Waiting::Call(call)) if !call.is_forwarded => {
                call.is_forwarded = true;
                true
            }
            _ => false,
        }
    }

    /// A call that was forwarded is queued for the server.
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

    /// Cancels a request. `true` if it is a call that has not reached the server, and now never does. The answer to
    /// another one may still come, or never: of those only some are waited for.
    pub(super) fn cancel(&self, id: &Id) -> bool {
        let is_held = match self.requests.lock().get(id).map(|it| &it.waiting) {
            None => return false,
            Some(Waiting::Call(call)) => {
                call.cancel.cancel();
                !call.is_forwarded
            }
            Some(_) => false,
        };
        if !is_held {
            let mut cancelled = self.cancelled.lock();
            cancelled.push_back(id.clone());
            let too_many = cancelled.len() > MOST_CANCELLED;
            let oldest = too_many.then(|| cancelled.pop_front()).flatten();
            drop(cancelled);
            if let Some(request) = oldest.and_then(|oldest| self.take(&oldest)) {
                request.reply.none();
            }
        }
        if is_held && let Some(request) = self.take(id) {
            request.reply.none();
        }
        is_held
    }

    /// Whether the answer to this request is passed on as it comes, and alone.
    pub(super) fn is_plain(&self, id: &Id) -> bool {
        let requests = self.requests.lock();
        let request = requests.get(id);
        request
            .is_some_and(|it| matches!((&it.waiting, &it.reply), (Waiting::Client, Reply::Alone)))
    }

    /// Whose progress the token stands for.
    pub(super) fn progress(&self, token: &Id) -> Option<Progress> {
        self.tokens.lock().get(token).cloned()
    }

    /// Takes all requests out.
    pub(super) fn clear(&self) -> Vec<(Id, Request)> {
        self.tokens.lock().clear();
        self.requests.lock().drain().collect()
    }
}
