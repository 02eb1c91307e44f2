//! The end of a server's standard error, kept for error messages.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::io::AsyncReadExt as _;
use tokio::process::ChildStderr;
use tokio::sync::watch;

/// The maximum number of kept bytes: enough for the last lines of a crash.
const KEPT: usize = 2_048;

/// The time for which the pipe is read after a server has ended.
const READ_ON: Duration = Duration::from_millis(500);

/// The end of a server's standard error.
#[derive(Debug, Clone)]
pub(super) struct StderrTail {
    kept: Arc<Mutex<VecDeque<u8>>>,
    /// Closed once the pipe has ended.
    more: watch::Receiver<()>,
}

impl StderrTail {
    /// Reads the pipe until it closes.
    pub(super) fn follow(server: &str, pipe: Option<ChildStderr>) -> Self {
        let (still_open, more) = watch::channel(());
        let tail = Self {
            kept: Arc::default(),
            more,
        };
        if let Some(mut pipe) = pipe {
            let tail = tail.clone();
            let server = server.to_owned();
            tokio::spawn(async move {
                let _still_open = still_open;
                let mut buffer = [0; 1024];
                while let Ok(n @ 1..) = pipe.read(&mut buffer).await {
                    let read = buffer.get(..n).unwrap_or_default();
                    let words =
                        portcullis::text::sanitize_for_terminal(&String::from_utf8_lossy(read));
                    tracing::debug!(server, "stderr: {words}");
                    tail.push(read);
                }
            });
        }
        tail
    }

    /// Returns the last line of a server that has ended, safe to show.
    pub(super) async fn last_line_at_end(&self) -> Option<String> {
        let mut more = self.more.clone();
        let closed = async { while more.changed().await.is_ok() {} };
        // A process that the server started may keep the pipe open.
        let _ = tokio::time::timeout(READ_ON, closed).await;
        self.last_line()
    }

    fn push(&self, bytes: &[u8]) {
        let mut kept = self.kept.lock();
        kept.extend(bytes);
        let over = kept.len().saturating_sub(KEPT);
        kept.drain(..over);
    }

    fn last_line(&self) -> Option<String> {
        let kept = self.kept.lock();
        let bytes: Vec<u8> = kept.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        let line = text.lines().rev().find(|line| !line.trim().is_empty())?;
        Some(portcullis::text::sanitize_for_terminal(line.trim()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_last_line_of_a_flood() {
        let tail = StderrTail::follow("s", None);
        assert_eq!(tail.last_line(), None);
        tail.push(&[b'x'; 10_000]);
        tail.push(b"\nboom\x1b[31m\n\n");
        assert_eq!(tail.last_line().as_deref(), Some("boom\\u{1b}[31m"));
    }
}
