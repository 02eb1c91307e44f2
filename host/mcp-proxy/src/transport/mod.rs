//! The transports of messages: standard streams and streamable HTTP.

mod child;
mod headers;
mod http;
mod lines;
mod sse;

pub use child::spawn;
pub use http::connect;
pub use lines::over;

use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::message::{Fragment, OneLine};

/// The maximum number of waiting messages in one direction. The sender of another message waits.
pub(crate) const WAITING: usize = 8;

/// A frame from a peer.
#[derive(Debug)]
pub enum Frame {
    /// A text that should be a message.
    Message(String),
    /// A message over the limit, of which only this fragment is known.
    TooLong(Fragment),
    /// Bytes that are not UTF-8.
    NotText(Fragment),
}

/// A connection to a peer.
#[derive(Debug)]
pub struct Connection {
    /// Frames from the peer. The channel ends when the peer is gone.
    pub incoming: mpsc::Receiver<Frame>,
    /// Messages to the peer. Line breaks become spaces. Sending fails when the peer is gone.
    pub outgoing: mpsc::Sender<String>,
    /// Cancelled when the end is near, and with `closing`. From then on a peer over streams has ten
    /// seconds to read a message; otherwise that message and all later ones are lost. For a client
    /// over HTTP, only the last of the server's own messages are kept.
    pub ending: CancellationToken,
    /// Closes the connection. Queued messages are sent, over HTTP for at most a second, and no
    /// others.
    pub closing: CancellationToken,
    /// Finishes when the connection is completely closed.
    pub ended: JoinHandle<()>,
}

/// Returns the next message to send; `None` at the end.
pub(crate) async fn next(
    queue: &mut mpsc::Receiver<String>,
    closing: &CancellationToken,
) -> Option<OneLine> {
    if !closing.is_cancelled() {
        tokio::select! {
            message = queue.recv() => return message.map(OneLine::from),
            () = closing.cancelled() => {}
        }
    }
    queue.close();
    queue.recv().await.map(OneLine::from)
}
