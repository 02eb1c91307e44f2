//! The check of requests.

use std::net::IpAddr;

use http::uri::Authority;
use http::{HeaderMap, HeaderValue, StatusCode, header};

use crate::token::Token;

/// The conditions that a request must meet.
#[derive(Debug, Clone)]
pub struct Access {
    /// The token.
    pub token: Token,
    /// Whether the server listens on loopback. The name in `Host` must then be a loopback name too: a page of
    /// another site whose name resolves to loopback sends the name of that site.
    pub loopback: bool,
    /// The pages that may send requests.
    pub pages: Pages,
}

/// Pages in a browser, which name their site in the header `Origin`. Other programs do not send this header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pages {
    /// No page.
    None,
    /// Pages from loopback addresses.
    OfLoopback,
    /// Pages of the server itself: `Origin` has the name and the port of `Host`.
    Own,
}

/// The reason why a request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// A page sent the request.
    #[error("requests of web pages are refused; send none with the header `Origin`")]
    Page,
    /// A page of another site sent the request.
    #[error("a page of another site sent the request, as its header `Origin` says")]
    Origin,
    /// A page of another site sent the request, according to `Sec-Fetch-Site`.
    #[error("a page of another site sent the request, as its header `Sec-Fetch-Site` says")]
    Site,
    /// The request names another machine in `Host`.
    #[error("the header `Host` must name 127.0.0.1, [::1] or localhost")]
    Host,
    /// The request has no token, or a wrong one.
    #[error("the request needs the server's token: `Authorization: Bearer TOKEN`")]
    Token,
}

impl Refused {
    /// Returns the response's status.
    pub fn status(self) -> StatusCode {
        match self {
            Self::Token => StatusCode::UNAUTHORIZED,
            Self::Page | Self::Origin | Self::Site | Self::Host => StatusCode::FORBIDDEN,
        }
    }
}

impl Access {
    /// Checks a request by its headers.
    ///
    /// # Errors
    ///
    /// The request is refused.
    pub fn check(&self, headers: &HeaderMap) -> Result<(), Refused> {
        self.check_source(headers)?;
        let authorization = headers.get(header::AUTHORIZATION);
        match self.token.is_in(authorization.map(HeaderValue::as_bytes)) {
            true => Ok(()),
            false => Err(Refused::Token),
        }
    }

    /// Checks the page that sent a request and the machine that the request names, but not the token.
    ///
    /// # Errors
    ///
    /// The request is refused.
    pub fn check_source(&self, headers: &HeaderMap) -> Result<(), Refused> {
        for origin in headers.get_all(header::ORIGIN) {
            self.check_origin(origin, headers)?;
        }
        if self.loopback && !names_loopback(headers) {
            return Err(Refused::Host);
        }
        // Browsers send no `Origin` with a link or a form that uses GET.
        let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
        let own = [None, Some(&b"same-origin"[..]), Some(&b"none"[..])];
        match self.pages == Pages::Own && !own.contains(&site) {
            true => Err(Refused::Site),
            false => Ok(()),
        }
    }

    fn check_origin(&self, origin: &HeaderValue, headers: &HeaderMap) -> Result<(), Refused> {
        let origin = origin.to_str().unwrap_or_default();
        let site = origin.split_once("://").map(|(_, site)| site.as_bytes());
        let is_taken = match self.pages {
            Pages::None => return Err(Refused::Page),
            Pages::OfLoopback => site.is_some_and(is_loopback),
            Pages::Own => {
                let host = headers.get(header::HOST).map(HeaderValue::as_bytes);
                site.is_some() && site == host
            }
        };
        match is_taken {
            true => Ok(()),
            false => Err(Refused::Origin),
        }
    }
}

fn names_loopback(headers: &HeaderMap) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (Some(host), None) => is_loopback(host.as_bytes()),
        _ => false,
    }
}

/// Returns whether a name, with or without a port, is one of loopback.
fn is_loopback(host: &[u8]) -> bool {
    let Ok(authority) = Authority::try_from(host) else {
        return false;
    };
    let name = authority.host();
    let address = name
        .strip_prefix('[')
        .and_then(|name| name.strip_suffix(']'));
    let address = address.unwrap_or(name).parse::<IpAddr>();
    !host.contains(&b'@')
        && (name.eq_ignore_ascii_case("localhost")
            || address.is_ok_and(|address| address.is_loopback()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "0123456789abcdef";

    fn checked(
        loopback: bool,
        pages: Pages,
        headers: &[(&'static str, &'static str)],
    ) -> Result<(), Refused> {
        let headers = headers.iter().map(|(name, value)| {
            let name: header::HeaderName = name.parse().expect("a name");
            (name, value.parse().expect("a value"))
        });
        let mut all = HeaderMap::new();
        for (name, value) in headers {
            all.append(name, value);
        }
        let token = Token::new(TOKEN).expect("it is long enough");
        let access = Access {
            token,
            loopback,
            pages,
        };
        access.check(&all)
    }

    #[test]
    fn the_token_and_the_names_are_checked() {
        let good = ("authorization", "Bearer 0123456789abcdef");
        let own = ("host", "127.0.0.1:8000");
        let near = ("origin", "http://localhost:3000");
        let far = ("origin", "https://evil.example");
        let cases: [(bool, &[_], _, _); 12] = [
            (true, &[own, good], Ok(()), Ok(())),
            (true, &[own], Err(Refused::Token), Err(Refused::Token)),
            (
                true,
                &[own, ("authorization", "Bearer 0123456789abcdee")],
                Err(Refused::Token),
                Err(Refused::Token),
            ),
            (
                true,
                &[own, ("authorization", TOKEN)],
                Err(Refused::Token),
                Err(Refused::Token),
            ),
            (true, &[good], Err(Refused::Host), Err(Refused::Host)),
            (
                true,
                &[("host", "evil.example"), good],
                Err(Refused::Host),
                Err(Refused::Host),
            ),
            (
                true,
                &[own, own, good],
                Err(Refused::Host),
                Err(Refused::Host),
            ),
            (false, &[("host", "proxy.example"), good], Ok(()), Ok(())),
            (true, &[own, good, near], Err(Refused::Page), Ok(())),
            (
                true,
                &[own, good, far],
                Err(Refused::Page),
                Err(Refused::Origin),
            ),
            (
                false,
                &[own, good, far],
                Err(Refused::Page),
                Err(Refused::Origin),
            ),
            (
                false,
                &[own, good, ("origin", "null")],
                Err(Refused::Page),
                Err(Refused::Origin),
            ),
        ];
        for (loopback, headers, without_pages, with_pages) in cases {
            let none = checked(loopback, Pages::None, headers);
            assert_eq!(none, without_pages, "{headers:?}");
            let own = checked(loopback, Pages::OfLoopback, headers);
            assert_eq!(own, with_pages, "{headers:?}");
        }
    }

    #[test]
    fn a_server_of_pages_takes_requests_of_its_own_alone() {
        let good = ("authorization", "Bearer 0123456789abcdef");
        let own = ("host", "127.0.0.1:8000");
        let cases: [(&[_], _); 8] = [
            (&[own, good], Ok(())),
            (&[own, good, ("origin", "http://127.0.0.1:8000")], Ok(())),
            (&[own, good, ("sec-fetch-site", "same-origin")], Ok(())),
            (&[own, good, ("sec-fetch-site", "none")], Ok(())),
            (
                &[own, good, ("sec-fetch-site", "cross-site")],
                Err(Refused::Site),
            ),
            (
                // Another port of the same machine.
                &[own, good, ("sec-fetch-site", "same-site")],
                Err(Refused::Site),
            ),
            (
                &[own, good, ("origin", "http://127.0.0.1:8001")],
                Err(Refused::Origin),
            ),
            (&[own, good, ("origin", "null")], Err(Refused::Origin)),
        ];
        for (headers, expected) in cases {
            assert_eq!(checked(true, Pages::Own, headers), expected, "{headers:?}");
        }
    }

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
            assert_eq!(is_loopback(host.as_bytes()), taken, "{host}");
        }
    }
}
