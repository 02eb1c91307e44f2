//! Errors of requests.

use std::fmt::{self, Display, Formatter};

/// The reason why a request failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The request is not valid: its URL, method, header or body is wrong.
    Invalid(String),
    /// The host refused the request: the operator did not grant it, or too many are in flight.
    Refused(String),
    /// The server, or the connection to it, took too long.
    TimedOut(String),
    /// Any other failure, such as an unknown server, a failed connection or an untrusted certificate.
    Failed(String),
    /// The server's status is not one of success: see [`Response::success`](super::Response::success).
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
