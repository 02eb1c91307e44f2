//! Answers to hooks' HTTP requests in the place of servers.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response};

/// Answers hooks' requests in the place of servers. With one, no name is resolved and nothing is connected
/// to. What a hook was granted and its limits hold as always.
pub trait HttpResponder: Send + Sync {
    /// Answers a request that the hook was granted. Its URI has scheme, host and path.
    ///
    /// # Errors
    ///
    /// The request fails in this way for the hook.
    fn respond(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpFailure>;

    /// The hook was not granted a request; `why` says what was not. Its URI is as in [`respond`](Self::respond) if it leads to
    /// a server. Default: nothing is done.
    fn refused(&self, _request: Request<()>, _why: &'static str) {}
}

/// How a request fails without a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum HttpFailure {
    /// The host does not allow it.
    Denied,
    /// The server's name leads nowhere.
    Dns,
    /// The server takes no connection.
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
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Denied,
        Self::Dns,
        Self::ConnectionRefused,
        Self::ConnectionTimeout,
        Self::Certificate,
        Self::ResponseTimeout,
        Self::ResponseIncomplete,
    ];

    /// Its name: that of the error code in `wasi:http`, in lower case.
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

    /// The failure of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|failure| failure.name() == name)
    }
}

/// A responder, for [`EngineOptions`](crate::limits::EngineOptions). Two are the same if they are one object.
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
