//! Why there is no response.

use std::fmt::{self, Display, Formatter};

/// Why there is no response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// It is no request: its URL, method, header or body is wrong.
    Invalid(String),
    /// The host refused it: the operator did not grant it, or too many are under way.
    Refused(String),
    /// The server, or the way to it, took too long.
    TimedOut(String),
    /// Anything else: no such server, no connection, no trust, no sense.
    Failed(String),
    /// The server answered with a status of no success: see [`Response::success`](super::Response::success).
    Status(u16),
}

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(why) => write!(f, "it is no HTTP request: {why}"),
            Self::Refused(why) => write!(f, "the HTTP request was refused: {why}"),
            Self::TimedOut(why) => write!(f, "the HTTP request took too long: {why}"),
            Self::Failed(why) => write!(f, "the HTTP request failed: {why}"),
            Self::Status(status) => write!(f, "the server answered with status {status}"),
        }
    }
}

impl std::error::Error for Error {}
