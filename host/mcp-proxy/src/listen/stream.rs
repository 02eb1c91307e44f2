//! A response that is a stream of messages.

use std::convert::Infallible;
use std::sync::Arc;

use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};

use super::outbox::Outbox;
use crate::message::Id;

/// The messages that a client reads.
pub(super) struct Stream {
    outbox: Arc<Outbox>,
    of: Of,
}

/// The owner of a stream's messages.
pub(super) enum Of {
    /// A request, whose stream has this number.
    Request(Id, u64),
    /// The session.
    Session,
}

impl Stream {
    pub(super) fn new(outbox: &Arc<Outbox>, of: Of) -> Self {
        let outbox = outbox.clone();
        Self { outbox, of }
    }

    /// Converts the messages to server-sent events.
    pub(super) fn into_events(self) -> impl IntoResponse {
        let events = futures::stream::unfold(self, async |stream| {
            let text = stream.outbox.next(&stream.of).await?;
            let event = Event::default().data(text.as_str());
            Some((Ok::<_, Infallible>(event), stream))
        });
        Sse::new(events).keep_alive(KeepAlive::default())
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.outbox.closed(&self.of);
    }
}
