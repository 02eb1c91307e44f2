//! What a server writes to its standard error: kept for the case that it dies.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::AsyncReadExt as _;
use tokio::process::ChildStderr;

/// How much of it is kept, in bytes: enough for the last lines of a crash.
const KEPT: usize = 2_048;

/// The last of what a server wrote to its standard error.
#[derive(Debug, Clone, Default)]
pub(super) struct StderrTail(Arc<Mutex<VecDeque<u8>>>);

impl StderrTail {
    /// Reads the pipe until it closes.
    pub(super) fn follow(&self, server: &str, pipe: Option<ChildStderr>) {
        let Some(mut pipe) = pipe else { return };
        let tail = self.clone();
        let server = server.to_owned();
        tokio::spawn(async move {
            let mut buffer = [0; 1024];
            while let Ok(n @ 1..) = pipe.read(&mut buffer).await {
                let read = buffer.get(..n).unwrap_or_default();
                tracing::debug!(
                    server,
                    "stderr: {}",
                    portcullis::printable(&String::from_utf8_lossy(read))
                );
                tail.push(read);
            }
        });
    }

    fn push(&self, bytes: &[u8]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(bytes);
        let over = kept.len().saturating_sub(KEPT);
        kept.drain(..over);
    }

    /// The last line, made harmless.
    pub(super) fn last_line(&self) -> Option<String> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = kept.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        let line = text.lines().rev().find(|line| !line.trim().is_empty())?;
        Some(portcullis::printable(line.trim()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_last_line_of_a_flood() {
        let tail = StderrTail::default();
        assert_eq!(tail.last_line(), None);
        tail.push(&[b'x'; 10_000]);
        tail.push(b"\nboom\x1b[31m\n\n");
        assert_eq!(tail.last_line().as_deref(), Some("boom\\u{1b}[31m"));
    }
}
