//! The limits of a server.

use std::time::Duration;

use portcullis_access::ConnectionLimits;
use portcullis_telemetry::Telemetry;

/// The limits of a server.
#[derive(Debug, Clone)]
pub struct ServeOptions {
    /// The most bytes of a request's body. Default: 8 MiB, which is the most of an event.
    pub body_bytes: usize,
    /// The most calls at once. One more is answered with status 503 and `Retry-After`. Default: 128.
    pub calls: usize,
    /// The most connections at once, and how long requests may take to come.
    pub connections: ConnectionLimits,
    /// How long calls and detached runs may take at the end, each. Default: 10 s.
    pub drain: Duration,
    /// A session of another agent's events is closed when it had no event for so long and its detached runs have ended,
    /// so that another process can open it. What hooks remember of it must be in a store. Default: never.
    pub release: Option<Duration>,
    /// The server stops when it had no request for so long. Default: never.
    pub idle: Option<Duration>,
    /// Records requests as spans, and sends the counters to a collector. The bridge's hooks are observed with
    /// [`Telemetry::observer`]. Default: none, and the counters are those of `GET /metrics` alone.
    pub telemetry: Option<Telemetry>,
}

impl Default for ServeOptions {
    fn default() -> Self {
        Self {
            body_bytes: 8 << 20,
            calls: 128,
            connections: ConnectionLimits::default(),
            drain: Duration::from_secs(10),
            release: None,
            idle: None,
            telemetry: None,
        }
    }
}
