//! The use of limits by the requests of one call, and their end with the call.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use tokio_util::sync::CancellationToken;
use wasmtime_wasi_http::Error;

use crate::model::failure::Failure;
use crate::model::limits::Limits;

/// The requests of one call: they share the call's limits, and none outlives the call.
#[derive(Debug)]
pub(super) struct Usage {
    limits: Arc<Limits>,
    requests: AtomicU64,
    running: AtomicUsize,
    sent: AtomicU64,
    received: AtomicU64,
    pub(super) cut: CancellationToken,
}

/// A request in flight.
#[derive(Debug)]
pub(super) struct Running(Arc<Usage>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The reason why a request may not begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Full {
    /// The call has made as many requests as it may, and fails.
    Requests,
    /// The limit on concurrent requests is reached.
    Concurrent,
}

impl Usage {
    pub(super) fn new(limits: Arc<Limits>) -> Self {
        Self {
            limits,
            requests: AtomicU64::new(0),
            running: AtomicUsize::new(0),
            sent: AtomicU64::new(0),
            received: AtomicU64::new(0),
            cut: CancellationToken::new(),
        }
    }

    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Counts a request, allowed or not.
    pub(super) fn count(&self) -> Result<(), Full> {
        match self.requests.fetch_add(1, Ordering::Relaxed) < self.limits.http_requests {
            true => Ok(()),
            false => Err(Full::Requests),
        }
    }

    /// Begins a request.
    pub(super) fn begin(self: &Arc<Self>) -> Result<Running, Full> {
        // Counted before the check, so that two requests cannot both be the last one.
        let running = Running(self.clone());
        let before = self.running.fetch_add(1, Ordering::Relaxed);
        match before < self.limits.http_concurrent {
            true => Ok(running),
            false => Err(Full::Concurrent),
        }
    }

    /// Returns whether this many more bytes may be sent. If not, the call fails.
    pub(super) fn may_send(&self, bytes: usize) -> bool {
        let sent = self.sent.load(Ordering::Relaxed);
        let may = sent.saturating_add(bytes as u64) <= self.limits.http_request_bytes;
        if !may {
            self.sent.store(u64::MAX, Ordering::Relaxed);
        }
        may
    }

    /// Counts sent bytes.
    pub(super) fn sent(&self, bytes: usize) {
        self.sent.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// Counts received bytes. Returns whether they are within the limit.
    pub(super) fn receive(&self, bytes: usize) -> bool {
        let before = self.received.fetch_add(bytes as u64, Ordering::Relaxed);
        before.saturating_add(bytes as u64) <= self.limits.http_response_bytes
    }

    /// Returns the guest's error for a call that sent or received more than it may.
    pub(super) fn bytes_over(&self) -> Option<Error> {
        match self.over()? {
            Failure::HttpRequestBytes(most) => Some(Error::HttpRequestBodySize(Some(most))),
            Failure::HttpResponseBytes(most) => Some(Error::HttpResponseBodySize(Some(most))),
            _ => None,
        }
    }

    /// Returns the failure of a call over a limit.
    pub(super) fn over(&self) -> Option<Failure> {
        let limits = &self.limits;
        if self.requests.load(Ordering::Relaxed) > limits.http_requests {
            return Some(Failure::HttpRequests(limits.http_requests));
        }
        if self.sent.load(Ordering::Relaxed) > limits.http_request_bytes {
            return Some(Failure::HttpRequestBytes(limits.http_request_bytes));
        }
        if self.received.load(Ordering::Relaxed) > limits.http_response_bytes {
            return Some(Failure::HttpResponseBytes(limits.http_response_bytes));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(limits: Limits) -> Arc<Usage> {
        Arc::new(Usage::new(Arc::new(limits)))
    }

    #[test]
    fn the_last_allowed_request_is_not_too_many() {
        let usage = usage(Limits {
            http_requests: 2,
            ..Limits::default()
        });
        assert_eq!((usage.count(), usage.count()), (Ok(()), Ok(())));
        assert!(usage.over().is_none());
        assert_eq!(usage.count(), Err(Full::Requests));
        assert!(matches!(usage.over(), Some(Failure::HttpRequests(2))));
    }

    #[test]
    fn a_request_that_ended_makes_room() {
        let usage = usage(Limits {
            http_concurrent: 1,
            ..Limits::default()
        });
        let first = usage.begin().expect("room");
        assert_eq!(usage.begin().map(drop), Err(Full::Concurrent));
        drop(first);
        assert!(usage.begin().is_ok());
        assert!(usage.over().is_none());
    }

    #[test]
    fn the_last_allowed_byte_is_not_too_many() {
        let usage = usage(Limits {
            http_request_bytes: 10,
            http_response_bytes: 20,
            ..Limits::default()
        });
        assert!(usage.may_send(10) && usage.receive(20));
        usage.sent(10);
        assert!(usage.over().is_none());
        assert!(!usage.receive(1));
        assert!(matches!(usage.over(), Some(Failure::HttpResponseBytes(20))));
        assert!(!usage.may_send(1));
        assert!(matches!(usage.over(), Some(Failure::HttpRequestBytes(10))));
    }
}
