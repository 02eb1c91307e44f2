//! Which requests over TCP are taken.

use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http::uri::Authority;

use crate::api::Failed;
use crate::token::Token;

/// What a request over TCP must have.
#[derive(Debug, Clone)]
pub(crate) struct Guard {
    pub(crate) token: Token,
    /// Whether the address is one of loopback. The name in `Host` must then be one of loopback too: a page of
    /// another site whose name was made to lead here has the name of that site.
    pub(crate) loopback: bool,
}

/// Refuses a request that may be a browser's, or has no token.
pub(crate) async fn guard(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    // Only browsers send it, and no page is served from here.
    if headers.contains_key(header::ORIGIN) {
        let why = "requests of web pages are refused; send none with the header `Origin`";
        return Failed::new(StatusCode::FORBIDDEN, why).into_response();
    }
    if guard.loopback && !names_loopback(headers) {
        let why = "the header `Host` must name 127.0.0.1, [::1] or localhost";
        return Failed::new(StatusCode::FORBIDDEN, why).into_response();
    }
    let authorization = headers
        .get(header::AUTHORIZATION)
        .map(HeaderValue::as_bytes);
    if !guard.token.is_in(authorization) {
        let why = "the request needs the server's token: `Authorization: Bearer TOKEN`";
        return Failed::new(StatusCode::UNAUTHORIZED, why).into_response();
    }
    next.run(request).await
}

fn names_loopback(headers: &HeaderMap) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else {
        return false;
    };
    let Ok(authority) = Authority::try_from(host.as_bytes()) else {
        return false;
    };
    let name = authority.host();
    let address = name
        .strip_prefix('[')
        .and_then(|name| name.strip_suffix(']'));
    let address = address.unwrap_or(name).parse::<IpAddr>();
    !host.as_bytes().contains(&b'@')
        && (name.eq_ignore_ascii_case("localhost")
            || address.is_ok_and(|address| address.is_loopback()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_taken() {
        for (host, taken) in [
            ("127.0.0.1:80", true),
            ("127.0.0.1", true),
            ("[::1]:80", true),
            ("LocalHost:80", true),
            ("evil.example:80", false),
            ("localhost.evil.example", false),
            ("127.0.0.1.evil.example", false),
            ("localhost@evil.example", false),
            ("evil.example@localhost", false),
            ("10.0.0.1:80", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static(host));
            assert_eq!(names_loopback(&headers), taken, "{host}");
            headers.append(header::HOST, HeaderValue::from_static(host));
            assert!(!names_loopback(&headers), "{host} twice");
        }
        assert!(!names_loopback(&HeaderMap::new()));
    }
}
