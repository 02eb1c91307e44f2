//! Server-sent events with a limit on their length.

use std::io;

use tokio::io::AsyncBufRead;

use super::Frame;
use super::lines::{Line, Lines, text};

/// The events of a stream.
pub(super) struct Events<R> {
    lines: Lines<R>,
    most: usize,
    /// The id of the last event that had one.
    pub(super) last_id: Option<String>,
}

impl<R: AsyncBufRead + Unpin> Events<R> {
    pub(super) fn new(reader: R, most: usize) -> Self {
        Self {
            lines: Lines::new(reader, most),
            most,
            last_id: None,
        }
    }

    /// Returns the data of the next event that has data; `None` at the end of the stream.
    pub(super) async fn next(&mut self) -> io::Result<Option<Frame>> {
        let mut data: Option<Vec<u8>> = None;
        loop {
            let mut line = match self.lines.next().await? {
                // An event that does not end with an empty line is incomplete.
                None => return Ok(None),
                Some(Line::TooLong(found)) => {
                    self.skip().await?;
                    return Ok(Some(Frame::TooLong(found)));
                }
                Some(Line::Whole(line)) => line,
            };
            if line.last() == Some(&b'\r') {
                line.pop();
            }
            if line.is_empty() {
                match data.take() {
                    Some(data) if !data.is_empty() => return Ok(Some(text(data))),
                    _ => continue,
                }
            }
            let (field, value) = match line.iter().position(|byte| *byte == b':') {
                Some(colon) => {
                    let value = line.get(colon + 1..).unwrap_or_default();
                    let value = value.strip_prefix(b" ").unwrap_or(value);
                    (line.get(..colon).unwrap_or_default(), value)
                }
                None => (line.as_slice(), &[][..]),
            };
            match field {
                b"data" => {
                    let data = match &mut data {
                        None => data.insert(Vec::new()),
                        Some(data) => {
                            data.push(b'\n');
                            data
                        }
                    };
                    data.extend_from_slice(value);
                    if data.len() > self.most {
                        let mut scanner = crate::message::Scanner::default();
                        scanner.read(data);
                        self.skip().await?;
                        return Ok(Some(Frame::TooLong(scanner.finish())));
                    }
                }
                b"id" => self.last_id = String::from_utf8(value.to_vec()).ok(),
                _ => {}
            }
        }
    }

    /// Skips the rest of an event.
    async fn skip(&mut self) -> io::Result<()> {
        while let Some(line) = self.lines.next().await? {
            if matches!(&line, Line::Whole(line) if line.is_empty() || line == b"\r") {
                return Ok(());
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Fragment;

    #[tokio::test]
    async fn events_are_read_whole() {
        let stream = "\u{feff}: comment\n\nevent: message\nid: 7\ndata: {\"a\":\ndata:1}\r\n\r\ndata:\n\n\
                      data: {\"id\":3,\"x\":\"too long for the limit\"}\nretry: 5\n\ndata: last\n\ndata: cut";
        let mut events = Events::new(stream.as_bytes(), 30);
        let next = events.next().await.unwrap();
        assert!(
            matches!(&next, Some(Frame::Message(text)) if text == "{\"a\":\n1}"),
            "{next:?}"
        );
        assert_eq!(events.last_id.as_deref(), Some("7"));
        let next = events.next().await.unwrap();
        assert!(
            matches!(&next, Some(Frame::TooLong(Fragment { .. }))),
            "{next:?}"
        );
        let next = events.next().await.unwrap();
        assert!(
            matches!(&next, Some(Frame::Message(text)) if text == "last"),
            "{next:?}"
        );
        assert!(events.next().await.unwrap().is_none());
    }
}
