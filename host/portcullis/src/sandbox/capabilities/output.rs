//! The standard output and error of a hook's runtime, until the hook's log takes them.

use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use tokio::io::AsyncWrite;
use wasmtime_wasi::cli::{IsTerminal, StdoutStream};
use wasmtime_wasi::p2::{OutputStream, Pollable, StreamError, StreamResult};

/// The most bytes of one write. The log takes them before the next one.
const MOST_WRITTEN: usize = 64 << 10;

/// One of the two streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stream {
    Stdout,
    Stderr,
}

/// The writes that are not logged yet, in order.
#[derive(Clone, Default)]
pub(crate) struct Output(Arc<Written>);

#[derive(Default)]
struct Written {
    /// Whether there are writes. A call that writes nothing takes no lock.
    any: AtomicBool,
    bytes: Mutex<Vec<(Stream, Bytes)>>,
}

impl Output {
    /// Returns a stream whose writes this output takes.
    pub(super) fn stream(&self, stream: Stream) -> LoggedStream {
        LoggedStream {
            output: self.clone(),
            stream,
        }
    }

    /// Returns whether nothing was written since the last [`Output::take`].
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        // An instance writes and is read on one thread at a time.
        !self.0.any.load(Ordering::Relaxed)
    }

    /// Takes the writes since the last time.
    pub(super) fn take(&self) -> Vec<(Stream, Bytes)> {
        self.0.any.store(false, Ordering::Relaxed);
        let mut written = self.0.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        mem::take(&mut *written)
    }

    fn push(&self, stream: Stream, bytes: Bytes) {
        let mut written = self.0.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        written.push((stream, bytes));
        self.0.any.store(true, Ordering::Relaxed);
    }
}

/// A standard stream whose lines are logged.
pub(super) struct LoggedStream {
    output: Output,
    stream: Stream,
}

impl IsTerminal for LoggedStream {
    fn is_terminal(&self) -> bool {
        false
    }
}

impl StdoutStream for LoggedStream {
    /// Returns an empty stream: only WASI preview 3 uses it, which no hook has.
    fn async_stream(&self) -> Box<dyn AsyncWrite + Send + Sync> {
        Box::new(tokio::io::empty())
    }

    fn p2_stream(&self) -> Box<dyn OutputStream> {
        Box::new(self.output.stream(self.stream))
    }
}

#[wasmtime_wasi::async_trait]
impl Pollable for LoggedStream {
    async fn ready(&mut self) {}
}

#[wasmtime_wasi::async_trait]
impl OutputStream for LoggedStream {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        if bytes.len() > MOST_WRITTEN {
            return Err(StreamError::trap(
                "more was written than `check-write` allows",
            ));
        }
        self.output.push(self.stream, bytes);
        Ok(())
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        Ok(MOST_WRITTEN)
    }
}
