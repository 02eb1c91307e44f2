//! Messages as lines.

use std::io;
use std::time::Duration;

use tokio::io::{
    AsyncBufRead, AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader,
};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::{Connection, Frame, WAITING, next};
use crate::message::{Fragment, Scanner};

/// The time limit for a peer to read a message once the relay ends.
const TAKING: Duration = Duration::from_secs(10);

/// Creates a connection over two streams. A line of more than `most` bytes is not kept.
pub fn over(
    reader: impl AsyncRead + Unpin + Send + 'static,
    writer: impl AsyncWrite + Unpin + Send + 'static,
    most: usize,
) -> Connection {
    let (frames, incoming) = mpsc::channel(WAITING);
    let (outgoing, queue) = mpsc::channel(WAITING);
    let closing = CancellationToken::new();
    let ending = closing.child_token();
    tokio::spawn(read(BufReader::new(reader), most, frames));
    let ended = tokio::spawn(write(writer, queue, closing.clone(), ending.clone()));
    Connection {
        incoming,
        outgoing,
        ending,
        closing,
        ended,
    }
}

/// Reads until the stream ends or the receiver is dropped.
pub(super) async fn read(
    reader: impl AsyncBufRead + Unpin,
    most: usize,
    frames: mpsc::Sender<Frame>,
) {
    let mut lines = Lines::new(reader, most);
    loop {
        let frame = match lines.next().await {
            Ok(Some(Line::Whole(bytes))) => match text(bytes) {
                Frame::Message(text) if text.trim().is_empty() => continue,
                frame => frame,
            },
            Ok(Some(Line::TooLong(fragment))) => Frame::TooLong(fragment),
            Ok(None) => return,
            Err(error) => {
                tracing::warn!("a peer cannot be read: {error}");
                return;
            }
        };
        if frames.send(frame).await.is_err() {
            return;
        }
    }
}

/// Converts the bytes to a message.
pub(super) fn text(bytes: Vec<u8>) -> Frame {
    String::from_utf8(bytes).map_or_else(
        |error| {
            let mut scanner = Scanner::default();
            scanner.read(error.as_bytes());
            Frame::NotText(scanner.finish())
        },
        Frame::Message,
    )
}

/// Writes until the queue ends or the peer is gone. Once `ending` is cancelled, a peer that does
/// not read a message in time receives no more.
pub(super) async fn write(
    mut writer: impl AsyncWrite + Unpin,
    mut queue: mpsc::Receiver<String>,
    closing: CancellationToken,
    ending: CancellationToken,
) {
    while let Some(message) = next(&mut queue, &closing).await {
        let mut line = String::from(message);
        line.push('\n');
        let written = async {
            writer.write_all(line.as_bytes()).await?;
            writer.flush().await
        };
        let late = async {
            ending.cancelled().await;
            tokio::time::sleep(TAKING).await;
        };
        tokio::select! {
            written = written => {
                if let Err(error) = written {
                    tracing::debug!("a peer takes no more: {error}");
                    return;
                }
            }
            // The peer may have received a part of the message, which another message would
            // continue.
            () = late => {
                tracing::warn!(
                    "a peer did not take a message within {TAKING:?}: it and all behind it are lost"
                );
                return;
            }
        }
    }
    // The peer may be gone already.
    let _ = writer.shutdown().await;
}

/// The lines of a stream, without line ends.
pub(super) struct Lines<R> {
    reader: R,
    most: usize,
}

/// A line.
pub(super) enum Line {
    /// The whole line.
    Whole(Vec<u8>),
    /// A line over the limit.
    TooLong(Fragment),
}

impl<R: AsyncBufRead + Unpin> Lines<R> {
    pub(super) fn new(reader: R, most: usize) -> Self {
        Self { reader, most }
    }

    /// Returns the next line; `None` at the end. The last line need not have a line end.
    pub(super) async fn next(&mut self) -> io::Result<Option<Line>> {
        let mut line = Vec::new();
        let mut scanner: Option<Scanner> = None;
        let mut is_empty = true;
        loop {
            let read = self.reader.fill_buf().await?;
            let end = read.iter().position(|byte| *byte == b'\n');
            let piece = read.get(..end.unwrap_or(read.len())).unwrap_or_default();
            is_empty &= read.is_empty();
            match &mut scanner {
                Some(scanner) => scanner.read(piece),
                None if line.len() + piece.len() > self.most => {
                    let scanner = scanner.insert(Scanner::default());
                    scanner.read(&std::mem::take(&mut line));
                    scanner.read(piece);
                }
                None => line.extend_from_slice(piece),
            }
            let at_the_end = read.is_empty();
            let used = piece.len() + usize::from(end.is_some());
            self.reader.consume(used);
            if end.is_some() || at_the_end {
                return Ok(match scanner {
                    _ if is_empty => None,
                    Some(scanner) => Some(Line::TooLong(scanner.finish())),
                    None => Some(Line::Whole(line)),
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    async fn frames(bytes: &[u8], buffer: usize, most: usize) -> Vec<Frame> {
        let (frames, mut read_frames) = mpsc::channel(1_000);
        read(BufReader::with_capacity(buffer, bytes), most, frames).await;
        let mut read = Vec::new();
        while let Some(frame) = read_frames.recv().await {
            read.push(frame);
        }
        read
    }

    proptest! {
        #[test]
        fn lines_are_read_as_they_are(lines in prop::collection::vec("[^\n]{0,40}", 0..10), buffer in 1usize..64) {
            let bytes = lines.join("\n");
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            let read = runtime.block_on(frames(bytes.as_bytes(), buffer, 1_000));
            let read: Vec<String> = read.into_iter().map(|frame| match frame {
                Frame::Message(text) => text,
                frame => panic!("{frame:?}"),
            }).collect();
            let lines: Vec<String> = lines.into_iter().filter(|line| !line.trim().is_empty()).collect();
            prop_assert_eq!(read, lines);
        }
    }

    #[tokio::test]
    async fn a_long_line_is_not_kept_and_the_next_is_read() {
        let long = format!("{{\"x\":\"{}\",\"id\":5}}\n", "y".repeat(100));
        let read = frames(format!("{long}{{}}\n").as_bytes(), 7, 50).await;
        assert!(
            matches!(&read[..], [Frame::TooLong(Fragment { id: Some(id), .. }), Frame::Message(_)] if id == "5"),
            "{read:?}"
        );
    }
}
