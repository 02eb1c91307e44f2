//! One session of a client.

use std::collections::{HashMap, VecDeque};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

use parking_lot::Mutex;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::message::{Id, Kind, Message};
use crate::transport::{Connection, Frame, WAITING, next};

/// The most messages of the server's own that wait for a stream.
const MOST_WAITING: usize = 64;

/// A session, whose messages come by requests and go by streams.
pub(super) struct Session {
    /// None once the session has ended.
    to_relay: Mutex<Option<mpsc::Sender<Frame>>>,
    streams: Mutex<Streams>,
}

struct Streams {
    /// Those of the requests that are open.
    requests: HashMap<Id, mpsc::Sender<String>>,
    /// The one for the server's own messages.
    own: Option<mpsc::Sender<String>>,
    /// Messages that no stream can take.
    waiting: VecDeque<String>,
    used: Instant,
}

/// The messages of a stream.
pub(super) struct Stream(mpsc::Receiver<String>);

impl futures::Stream for Stream {
    type Item = String;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<String>> {
        self.0.poll_recv(cx)
    }
}

impl Session {
    /// Begins a session. `ended` is called when nothing is left of it.
    pub(super) fn begin(ended: impl FnOnce() + Send + 'static) -> (Arc<Self>, Connection) {
        let (to_relay, incoming) = mpsc::channel(WAITING);
        let (outgoing, mut queue) = mpsc::channel(WAITING);
        let closing = CancellationToken::new();
        let session = Arc::new(Self {
            to_relay: Mutex::new(Some(to_relay)),
            streams: Mutex::new(Streams {
                requests: HashMap::new(),
                own: None,
                waiting: VecDeque::new(),
                used: Instant::now(),
            }),
        });
        let (sends, sent_closing) = (session.clone(), closing.clone());
        let pump = tokio::spawn(async move {
            while let Some(text) = next(&mut queue, &sent_closing).await {
                sends.send(text).await;
            }
            ended();
        });
        let connection = Connection {
            incoming,
            outgoing,
            closing,
            ended: pump,
        };
        (session, connection)
    }

    /// Gives the relay what the client sent. `false` if the session has ended.
    pub(super) async fn pass(&self, frame: Frame) -> bool {
        self.streams.lock().used = Instant::now();
        let to_relay = self.to_relay.lock().clone();
        match to_relay {
            Some(to_relay) => to_relay.send(frame).await.is_ok(),
            None => false,
        }
    }

    /// Ends the session: the relay gets no more.
    pub(super) fn end(&self) {
        self.to_relay.lock().take();
    }

    /// The stream of a request: ends with its answer. `None` if the id is taken.
    pub(super) fn expect(&self, request: Id) -> Option<Stream> {
        let mut streams = self.streams.lock();
        if streams.requests.contains_key(&request) {
            return None;
        }
        let (sender, stream) = mpsc::channel(WAITING);
        streams.requests.insert(request, sender);
        Some(Stream(stream))
    }

    /// The stream of the server's own messages. `None` if there is one.
    pub(super) fn open_stream(&self) -> Option<Stream> {
        let mut streams = self.streams.lock();
        if streams.own.as_ref().is_some_and(|own| !own.is_closed()) {
            return None;
        }
        let (sender, stream) = mpsc::channel(MOST_WAITING);
        for text in streams.waiting.drain(..) {
            // It has room for all that may wait.
            let _ = sender.try_send(text);
        }
        streams.own = Some(sender);
        Some(Stream(stream))
    }

    /// When it was used last; `None` while a request is open.
    pub(super) fn unused_since(&self) -> Option<Instant> {
        let streams = self.streams.lock();
        streams.requests.is_empty().then_some(streams.used)
    }

    /// Sends a message of the relay: an answer to its request, anything else by the stream of a request that is open, or
    /// by the session's own.
    async fn send(&self, text: String) {
        let answered = match Message::parse(text.as_str()) {
            Ok(message) => match message.kind {
                Kind::Answer { id: Some(id) } => self.streams.lock().requests.remove(&id),
                _ => None,
            },
            Err(_) => None,
        };
        let stream = answered.or_else(|| self.streams.lock().any());
        let Some(stream) = stream else {
            return self.streams.lock().wait(text);
        };
        // A client that is gone takes no more.
        let _ = stream.send(text).await;
    }
}

impl Streams {
    fn any(&self) -> Option<mpsc::Sender<String>> {
        let own = self.own.iter();
        let mut streams = own.chain(self.requests.values());
        streams.find(|stream| !stream.is_closed()).cloned()
    }

    fn wait(&mut self, text: String) {
        if self.waiting.len() >= MOST_WAITING {
            tracing::warn!("a message of the server is dropped: the client reads no stream");
            self.waiting.pop_front();
        }
        self.waiting.push_back(text);
    }
}
