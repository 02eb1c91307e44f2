//! How much a hook may use of HTTP.

use std::time::Duration;

/// What the requests of one call may use, together and each. Every limit has a default; the operator's
/// `hooks.toml` overrides it. They hold within [`Limits::wall`](super::Limits::wall), which counts the
/// waiting too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct HttpLimits {
    /// Requests in one call, refused ones included. Default 16: a hook asks a server or two, and
    /// follows a redirect.
    pub requests: u64,
    /// Requests at once; one more is an error to the hook, which may wait and try again. Default 4.
    pub concurrent: usize,
    /// Bytes sent in one call: headers, bodies and what frames them, not TLS. Default 1 MiB.
    pub request_bytes: u64,
    /// Bytes received in one call, counted likewise. Default 4 MiB: what may cross to the host at once,
    /// the other way.
    pub response_bytes: u64,
    /// Bytes of the headers of one request, with its path, and of one response; more is an error to the
    /// hook. Default 16 KiB, which is what servers take.
    pub header_bytes: usize,
    /// From the beginning of a request until there is a connection, with finding the server and TLS;
    /// longer is an error to the hook, as with the following three. Default 2 s.
    pub connect: Duration,
    /// From the connection until the response begins. Default 5 s.
    pub first_byte: Duration,
    /// From one piece of a response to the next. Default 2 s.
    pub between_bytes: Duration,
    /// A request in all. Default 10 s.
    pub total: Duration,
}

impl Default for HttpLimits {
    fn default() -> Self {
        Self {
            requests: 16,
            concurrent: 4,
            request_bytes: 1 << 20,
            response_bytes: 4 << 20,
            header_bytes: 16 << 10,
            connect: Duration::from_secs(2),
            first_byte: Duration::from_secs(5),
            between_bytes: Duration::from_secs(2),
            total: Duration::from_secs(10),
        }
    }
}
