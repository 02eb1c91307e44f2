//! The limits of connections.

use std::time::Duration;

/// The limits of connections.
#[derive(Debug, Clone, Copy)]
pub struct ConnectionLimits {
    /// The most connections at once. One more waits. Default: 1,024.
    pub connections: u32,
    /// The time that a client may take to send the head of a request, and again to send its body. A connection
    /// that is idle for as long is closed. Default: 10 s.
    pub read: Duration,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self {
            connections: 1_024,
            read: Duration::from_secs(10),
        }
    }
}
