//! One session of a client.

use std::sync::Arc;
use std::time::Instant;

use parking_lot::Mutex;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::outbox::Outbox;
use super::stream::Stream;
use crate::message::{Id, Kind, Message, fields};
use crate::transport::{Connection, Frame, WAITING, next};

/// A session. It receives messages by requests, and sends messages on streams.
pub(super) struct Session {
    /// `None` once the session has ended.
    to_relay: Mutex<Option<mpsc::Sender<Frame>>>,
    outbox: Arc<Outbox>,
    /// Cancelled when messages no longer wait for the client.
    ended: CancellationToken,
}

impl Session {
    /// Begins a session. `forget` is called when the session has ended completely.
    pub(super) fn begin(forget: impl FnOnce() + Send + 'static) -> (Arc<Self>, Connection) {
        let (to_relay, incoming) = mpsc::channel(WAITING);
        let (outgoing, mut queue) = mpsc::channel(WAITING);
        let closing = CancellationToken::new();
        let ending = closing.child_token();
        let session = Arc::new(Self {
            to_relay: Mutex::new(Some(to_relay)),
            outbox: Outbox::new(),
            ended: CancellationToken::new(),
        });
        let outbox = session.outbox.clone();
        let (closed, ended) = (closing.clone(), session.ended.clone());
        let is_ending = ending.clone();
        let pump = tokio::spawn(async move {
            while let Some(text) = next(&mut queue, &closed).await {
                let hurry = async {
                    tokio::select! {
                        () = is_ending.cancelled() => {}
                        () = ended.cancelled() => {}
                    }
                };
                outbox.put(answered(text.as_str()), text, hurry).await;
            }
            outbox.end();
            forget();
        });
        let connection = Connection {
            incoming,
            outgoing,
            ending,
            closing,
            ended: pump,
        };
        (session, connection)
    }

    /// Passes a message of the client to the relay. Returns `false` if the session has ended.
    pub(super) async fn pass(&self, message: Message) -> bool {
        self.outbox.touch();
        let cancelled = cancelled(&message);
        let to_relay = self.to_relay.lock().clone();
        let Some(to_relay) = to_relay else {
            return false;
        };
        let is_passed = to_relay
            .send(Frame::Message(message.into_text()))
            .await
            .is_ok();
        if let Some(request) = cancelled {
            // A cancelled request has no answer.
            self.outbox.cancel(&request);
        }
        is_passed
    }

    /// Ends the session: the relay receives no more messages, and does not wait for the client.
    pub(super) fn end(&self) {
        self.to_relay.lock().take();
        self.ended.cancel();
    }

    /// Opens the stream of a request, which ends with the answer. `None` if the id is in use.
    pub(super) fn expect(&self, request: Id) -> Option<Stream> {
        self.outbox.expect(request)
    }

    /// Opens the stream of the server's own messages. `None` if it is already open.
    pub(super) fn open_stream(&self) -> Option<Stream> {
        self.outbox.own()
    }

    /// Returns the time of the last use; `None` while a client waits for an answer.
    pub(super) fn unused_since(&self) -> Option<Instant> {
        self.outbox.unused_since()
    }
}

/// Returns the request that a message of the relay answers.
fn answered(text: &str) -> Option<Id> {
    match Message::parse(text).ok()?.kind {
        Kind::Answer { id } => id,
        _ => None,
    }
}

/// Returns the request that a message of the client cancels.
fn cancelled(message: &Message) -> Option<Id> {
    match &message.kind {
        Kind::Notification { method } if method == "notifications/cancelled" => {
            let [request] = fields(message.params(), ["requestId"]).ok()?;
            Id::parse(request?).ok()?
        }
        _ => None,
    }
}
