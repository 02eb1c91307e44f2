//! The limits of a server.

use std::time::Duration;

use portcullis_access::ConnectionLimits;
use portcullis_telemetry::Telemetry;

/// The limits of a server.
#[derive(Debug, Clone)]
pub struct ServeOptions {
    /// The maximum size of a request's body, in bytes. Default: 8 MiB, the maximum size of an event.
    pub body_bytes: usize,
    /// The most calls at once. One more is answered with status 503 and `Retry-After`. Default: 128.
    pub calls: usize,
    /// The maximum number of connections at once, and the time limits for requests.
    pub connections: ConnectionLimits,
    /// The time limit for open calls, and then for detached runs, at the end. Default: 10 s.
    pub drain: Duration,
    /// The time without an event after which a session of another agent is closed, once its detached runs have ended,
    /// so that another process can open it. The hooks' state must be in a store. Default: never.
    pub release: Option<Duration>,
    /// The time without a request after which the server stops. Default: never.
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
