// Written from wit/ by `cargo xtask contract`; do not change it here.

//! The errors of requests without a response.

use wasip2::http::types::ErrorCode;

use super::Error;

/// Returns the constructor of an error, its words, in which `{}` is the request, and the host's additional text.
#[rustfmt::skip]
pub(super) fn of(code: &ErrorCode) -> (fn(String) -> Error, &'static str, Option<&str>) {
    match code {
        ErrorCode::DnsTimeout => (Error::TimedOut, "it took longer than the limit `http-connect-ms`, or its own timeout", None),
        ErrorCode::DnsError(_) => (Error::Failed, "there is no server of this name", None),
        ErrorCode::DestinationNotFound => (Error::Failed, "there is no server of this name", None),
        ErrorCode::DestinationUnavailable => (Error::Failed, "the server is not available", None),
        ErrorCode::DestinationIpProhibited => (Error::Refused, "its name leads to no address that the hook is granted; for an address that is not public, grant it in hooks.toml, under [hooks.ID.grants]: http = [\"{} at ADDRESS\"]", None),
        ErrorCode::DestinationIpUnroutable => (Error::Failed, "there is no route to the server's address", None),
        ErrorCode::ConnectionRefused => (Error::Failed, "the server refuses connections", None),
        ErrorCode::ConnectionTerminated => (Error::Failed, "the connection ended", None),
        ErrorCode::ConnectionTimeout => (Error::TimedOut, "it took longer than the limit `http-connect-ms`, or its own timeout", None),
        ErrorCode::ConnectionReadTimeout => (Error::TimedOut, "it took longer than the limit `http-first-byte-ms` or `http-between-bytes-ms`, or its own timeout", None),
        ErrorCode::ConnectionWriteTimeout => (Error::TimedOut, "it took longer than the limit `http-between-bytes-ms`, or its own timeout", None),
        ErrorCode::ConnectionLimitReached => (Error::Refused, "as many requests are under way as the limit `http-concurrent` allows", None),
        ErrorCode::TlsProtocolError => (Error::Failed, "the server does not speak TLS as the host does", None),
        ErrorCode::TlsCertificateError => (Error::Failed, "the server's certificate is not trusted", None),
        ErrorCode::TlsAlertReceived(_) => (Error::Failed, "the server ended TLS with an alert", None),
        ErrorCode::HttpRequestDenied => (Error::Refused, "the hook is not granted it; grant it in hooks.toml, under [hooks.ID.grants]: http = [\"{}\"]", None),
        ErrorCode::HttpRequestLengthRequired => (Error::Failed, "the server requires the length of the body", None),
        ErrorCode::HttpRequestBodySize(_) => (Error::Invalid, "its body is not as long as it says", None),
        ErrorCode::HttpRequestMethodInvalid => (Error::Invalid, "its method is not valid", None),
        ErrorCode::HttpRequestUriInvalid => (Error::Invalid, "its URL is not valid", None),
        ErrorCode::HttpRequestUriTooLong => (Error::Invalid, "its URL is too long", None),
        ErrorCode::HttpRequestHeaderSectionSize(_) => (Error::Refused, "its headers are longer than the limit `http-header-bytes`", None),
        ErrorCode::HttpRequestHeaderSize(_) => (Error::Failed, "one of its headers is too long", None),
        ErrorCode::HttpRequestTrailerSectionSize(_) => (Error::Failed, "its trailers are too long", None),
        ErrorCode::HttpRequestTrailerSize(_) => (Error::Failed, "one of its trailers is too long", None),
        ErrorCode::HttpResponseIncomplete => (Error::Failed, "the response ended early", None),
        ErrorCode::HttpResponseHeaderSectionSize(_) => (Error::Failed, "the response's headers are longer than the limit `http-header-bytes`", None),
        ErrorCode::HttpResponseHeaderSize(_) => (Error::Failed, "one of the response's headers is too long", None),
        ErrorCode::HttpResponseBodySize(_) => (Error::Failed, "the response's body is too long", None),
        ErrorCode::HttpResponseTrailerSectionSize(_) => (Error::Failed, "the response's trailers are too long", None),
        ErrorCode::HttpResponseTrailerSize(_) => (Error::Failed, "one of the response's trailers is too long", None),
        ErrorCode::HttpResponseTransferCoding(said) => (Error::Failed, "the response has a transfer coding that is not known", said.as_deref()),
        ErrorCode::HttpResponseContentCoding(said) => (Error::Failed, "the response has a content coding that is not known", said.as_deref()),
        ErrorCode::HttpResponseTimeout => (Error::TimedOut, "it took longer than the limit `http-total-ms`", None),
        ErrorCode::HttpUpgradeFailed => (Error::Failed, "the connection was not upgraded", None),
        ErrorCode::HttpProtocolError => (Error::Failed, "the server does not speak HTTP", None),
        ErrorCode::LoopDetected => (Error::Failed, "the request was sent in a loop", None),
        ErrorCode::ConfigurationError => (Error::Failed, "the host cannot send requests as it is configured", None),
        ErrorCode::InternalError(said) => (Error::Failed, "the host failed", said.as_deref()),
    }
}
