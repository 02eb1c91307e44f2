//! Responses to hooks' HTTP requests in place of servers.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response};

/// A responder that answers hooks' requests in place of servers. With one, no name is resolved and
/// no connection is made. Hooks' grants and limits still apply.
pub trait HttpResponder: Send + Sync {
    /// Answers a request that the hook was granted. Its URI has a scheme, a host and a path.
    ///
    /// # Errors
    ///
    /// The failure that the hook receives for the request.
    fn respond(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpFailure>;

    /// Reports a request that the hook was not granted; `why` names the missing grant. If the URI
    /// names a server, it has the parts that [`respond`](Self::respond) describes. Default: does
    /// nothing.
    fn refused(&self, _request: Request<()>, _why: &'static str) {}
}

/// The failure of a request without a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum HttpFailure {
    /// The host does not allow the request.
    Denied,
    /// The server's name cannot be resolved.
    Dns,
    /// The server refuses the connection.
    ConnectionRefused,
    /// The connection takes too long.
    ConnectionTimeout,
    /// The server's certificate is not trusted.
    Certificate,
    /// The response takes too long.
    ResponseTimeout,
    /// The connection ends before the response does.
    ResponseIncomplete,
}

impl HttpFailure {
    /// All failures.
    pub const ALL: [Self; 7] = [
        Self::Denied,
        Self::Dns,
        Self::ConnectionRefused,
        Self::ConnectionTimeout,
        Self::Certificate,
        Self::ResponseTimeout,
        Self::ResponseIncomplete,
    ];

    /// Returns the name: that of the error code in `wasi:http`, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Denied => "http-request-denied",
            Self::Dns => "dns-error",
            Self::ConnectionRefused => "connection-refused",
            Self::ConnectionTimeout => "connection-timeout",
            Self::Certificate => "tls-certificate-error",
            Self::ResponseTimeout => "http-response-timeout",
            Self::ResponseIncomplete => "http-response-incomplete",
        }
    }

    /// Returns the failure with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|failure| failure.name() == name)
    }
}

/// A responder, for [`EngineOptions`](crate::limits::EngineOptions). Two values are equal if they
/// contain the same object.
#[derive(Clone)]
pub struct HttpServers(pub Arc<dyn HttpResponder>);

impl fmt::Debug for HttpServers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HttpServers")
    }
}

impl PartialEq for HttpServers {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for HttpServers {}
