//! The options for listening, and the errors.

use std::net::SocketAddr;

use portcullis_access::{ConnectionLimits, Token, listen_fix};

/// How clients are let in.
#[derive(Debug, Clone)]
pub struct ListenOptions {
    /// Where to listen. Port 0 is any free port.
    pub address: SocketAddr,
    /// The bearer token that every request must have.
    pub token: Token,
    /// Whether the address may be another than the machine's own (loopback).
    pub remote: bool,
    /// The longest message, in bytes.
    pub most_bytes: usize,
    /// The most sessions. One more ends the one that was used longest ago and has no request open; if there is none, it is
    /// refused.
    pub most_sessions: usize,
    /// The most connections at once, and how long requests may take to come.
    pub limits: ConnectionLimits,
}

/// Why the proxy does not listen.
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
