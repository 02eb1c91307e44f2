//! The queue of messages for a session's streams.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Instant;

use parking_lot::Mutex;
use tokio::sync::Notify;

use super::stream::{Of, Stream};
use crate::message::{Id, OneLine};

/// The maximum number of waiting server messages that are not answers.
const MOST_WAITING: usize = 64;

/// The messages of a session, in order, until a stream takes them. If a stream ends, the server's
/// own messages wait for the next stream. An answer is sent only on the stream of its request,
/// because a client cannot ask for it in another way. A message that a stream has taken is lost if
/// the stream's connection breaks.
pub(super) struct Outbox {
    state: Mutex<State>,
    /// Notified when a message is added or removed, or a stream ends.
    changed: Notify,
}

struct State {
    messages: VecDeque<Waiting>,
    /// The requests whose streams are open, each with the number of its stream.
    requests: HashMap<Id, u64>,
    /// Whether there is a stream for the server's own messages.
    has_own: bool,
    streams: u64,
    used: Instant,
    is_over: bool,
}

/// A message.
struct Waiting {
    /// The request that the message answers; `None` if it is the server's own message.
    answers: Option<Id>,
    text: OneLine,
}

/// The next step of a stream.
enum Next {
    Send(OneLine),
    Wait,
    End,
}

impl Outbox {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self {
            state: Mutex::new(State {
                messages: VecDeque::new(),
                requests: HashMap::new(),
                has_own: false,
                streams: 0,
                used: Instant::now(),
                is_over: false,
            }),
            changed: Notify::new(),
        })
    }

    /// Opens the stream of a request, which ends with the answer. `None` if a request with this id
    /// is open.
    pub(super) fn expect(self: &Arc<Self>, request: Id) -> Option<Stream> {
        let mut state = self.state.lock();
        if state.requests.contains_key(&request) {
            return None;
        }
        state.streams += 1;
        let number = state.streams;
        state.requests.insert(request.clone(), number);
        Some(Stream::new(self, Of::Request(request, number)))
    }

    /// Opens the stream of the server's own messages. `None` if it is already open.
    pub(super) fn own(self: &Arc<Self>) -> Option<Stream> {
        let mut state = self.state.lock();
        if std::mem::replace(&mut state.has_own, true) {
            return None;
        }
        Some(Stream::new(self, Of::Session))
    }

    /// Records that the session is used.
    pub(super) fn touch(&self) {
        self.state.lock().used = Instant::now();
    }

    /// Returns the time of the last use; `None` while a client waits for an answer.
    pub(super) fn unused_since(&self) -> Option<Instant> {
        let state = self.state.lock();
        state.requests.is_empty().then_some(state.used)
    }

    /// Ends the stream of a request that the client cancelled.
    pub(super) fn cancel(&self, request: &Id) {
        self.state.lock().forget(request);
        self.changed.notify_waiters();
    }

    /// Adds a message. A server message that is not an answer waits until there is room, if a
    /// stream can make room, but only until `hurry`.
    pub(super) async fn put(
        &self,
        answers: Option<Id>,
        text: OneLine,
        hurry: impl Future<Output = ()>,
    ) {
        if answers.is_none() {
            tokio::select! {
                () = self.room() => {}
                () = hurry => {}
            }
        }
        self.state.lock().put(Waiting { answers, text });
        self.changed.notify_waiters();
    }

    /// Marks the end of the messages: streams end when they have sent the waiting ones.
    pub(super) fn end(&self) {
        self.state.lock().is_over = true;
        self.changed.notify_waiters();
    }

    async fn room(&self) {
        loop {
            let changed = self.changed.notified();
            if !self.state.lock().is_full() {
                return;
            }
            changed.await;
        }
    }

    /// Returns the next message for a stream; `None` at its end.
    pub(super) async fn next(&self, stream: &Of) -> Option<OneLine> {
        loop {
            // Created before the check, so that no later change is missed.
            let changed = self.changed.notified();
            let next = self.state.lock().next(stream);
            match next {
                Next::End => return None,
                Next::Wait => changed.await,
                Next::Send(text) => {
                    self.changed.notify_waiters();
                    return Some(text);
                }
            }
        }
    }

    /// Records that a stream is closed.
    pub(super) fn closed(&self, stream: &Of) {
        let mut state = self.state.lock();
        match stream {
            Of::Session => state.has_own = false,
            Of::Request(id, number) if state.requests.get(id) == Some(number) => state.forget(id),
            Of::Request(..) => {}
        }
        state.used = Instant::now();
        drop(state);
        self.changed.notify_waiters();
    }
}

impl State {
    fn own(&self) -> usize {
        let own = self.messages.iter();
        own.filter(|message| message.answers.is_none()).count()
    }

    /// Returns whether the queue is full and a stream may take a message from it.
    fn is_full(&self) -> bool {
        self.own() >= MOST_WAITING && (self.has_own || !self.requests.is_empty())
    }

    fn put(&mut self, message: Waiting) {
        match &message.answers {
            Some(request) if !self.requests.contains_key(request) => {
                return tracing::debug!("an answer is dropped: no client waits for it");
            }
            None if self.own() >= MOST_WAITING => {
                tracing::warn!("a message of the server is dropped: the client reads no stream");
                let oldest = self.messages.iter().position(|it| it.answers.is_none());
                oldest.and_then(|oldest| self.messages.remove(oldest));
            }
            _ => {}
        }
        self.messages.push_back(message);
    }

    fn forget(&mut self, request: &Id) {
        self.requests.remove(request);
        self.messages
            .retain(|it| it.answers.as_ref() != Some(request));
    }

    /// The stream of a request also sends the server's own messages, if these have no stream.
    fn next(&mut self, stream: &Of) -> Next {
        let (request, takes_own) = match stream {
            Of::Session => (None, true),
            Of::Request(id, number) if self.requests.get(id) == Some(number) => {
                (Some(id), !self.has_own)
            }
            Of::Request(..) => return Next::End,
        };
        let is_for_it = |message: &Waiting| match &message.answers {
            None => takes_own,
            answers => answers.as_ref() == request,
        };
        let place = self.messages.iter().position(is_for_it);
        match place.and_then(|place| self.messages.remove(place)) {
            Some(message) => {
                if let Some(request) = &message.answers {
                    self.requests.remove(request);
                }
                Next::Send(message.text)
            }
            None if self.is_over => Next::End,
            None => Next::Wait,
        }
    }
}
