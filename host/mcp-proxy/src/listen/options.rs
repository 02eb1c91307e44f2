//! The options for listening, and the errors.

use std::net::SocketAddr;

use portcullis_access::{ConnectionLimits, Token, listen_fix};

/// The options for listening.
#[derive(Debug, Clone)]
pub struct ListenOptions {
    /// The address to listen on. Port 0 is any free port.
    pub address: SocketAddr,
    /// The bearer token that every request must have.
    pub token: Token,
    /// Whether other machines may reach the address. Otherwise it must be a loopback address.
    pub remote: bool,
    /// The maximum number of bytes of a message.
    pub most_bytes: usize,
    /// The maximum number of sessions. Another one ends the least recently used session without an
    /// open request. If there is none, the new session is refused.
    pub most_sessions: usize,
    /// The maximum number of connections at once, and the time limit for receiving a request.
    pub limits: ConnectionLimits,
}

/// The reason that the proxy does not listen.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ListenError {
    /// Other machines could reach the address.
    #[error(
        "{0} can be reached from other machines; listen on 127.0.0.1, or allow it with --listen-remote"
    )]
    Remote(SocketAddr),
    /// The address cannot be used.
    #[error("cannot listen on {address}: {error}{}", listen_fix(error))]
    Bind {
        /// The address.
        address: SocketAddr,
        /// The cause.
        error: std::io::Error,
    },
}
