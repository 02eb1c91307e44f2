//! Access control for requests.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use portcullis_access::{Access, Failed, Pages, Token, TokenError};

use crate::page;

/// The header of requests that change something.
const FORM: &str = "x-portcullis-form";

/// The access control.
#[derive(Clone)]
pub(crate) struct Door {
    /// The token of the address, as a bearer token.
    access: Access,
    /// The cookie's value.
    cookie: (Token, String),
    /// The name of the cookie. It has the port, since a browser sends a cookie to all ports of a machine.
    name: String,
    /// The token of requests that change something. Only the pages have it.
    form: (Token, String),
}

impl Door {
    /// Returns a door, and the token that opens it.
    pub(crate) fn new(port: u16) -> Result<(Self, String), TokenError> {
        let (token, text) = Token::random()?;
        let access = Access {
            token,
            loopback: true,
            pages: Pages::Own,
        };
        let door = Self {
            access,
            cookie: Token::random()?,
            name: format!("portcullis-{port}"),
            form: Token::random()?,
        };
        Ok((door, text))
    }

    /// Returns the token that a page sends with requests that change something.
    pub(crate) fn form(&self) -> &str {
        &self.form.1
    }

    fn has_cookie(&self, headers: &HeaderMap) -> bool {
        let all = headers.get_all(header::COOKIE).iter();
        let mut pairs = all.flat_map(|cookies| cookies.as_bytes().split(|byte| *byte == b';'));
        pairs.any(|pair| {
            let pair = pair.trim_ascii();
            let value = pair
                .strip_prefix(self.name.as_bytes())
                .and_then(|rest| rest.strip_prefix(b"="));
            value.is_some_and(|value| self.cookie.0.is(value))
        })
    }

    fn set_cookie(&self) -> String {
        let (name, value) = (&self.name, &self.cookie.1);
        format!("{name}={value}; Path=/; HttpOnly; SameSite=Strict")
    }
}

/// Accepts a request with the cookie from a page of this server, or from no page. A request that
/// changes something must come from a page. Without the cookie only the page that gets it is
/// served.
pub(crate) async fn guard(State(door): State<Door>, request: Request, next: Next) -> Response {
    secured(let_in(&door, request, next).await)
}

async fn let_in(door: &Door, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let is_get = request.method() == Method::GET;
    // The login page has no data, and a terminal in a browser may link to it.
    if is_get && request.uri().path() == "/login" {
        return page::login(StatusCode::OK);
    }
    if let Err(refused) = door.access.check_source(headers) {
        return refused.into_response();
    }
    if request.uri().path() == "/login" {
        return match door.access.check(headers) {
            Ok(()) => {
                let cookie = [(header::SET_COOKIE, door.set_cookie())];
                (StatusCode::NO_CONTENT, cookie).into_response()
            }
            Err(refused) => refused.into_response(),
        };
    }
    if !door.has_cookie(headers) {
        return match request.uri().path() {
            "/" | "/session" if is_get => page::login(StatusCode::UNAUTHORIZED),
            _ => Failed::new(
                StatusCode::UNAUTHORIZED,
                "open the address that `portcullis ui` printed",
            )
            .into_response(),
        };
    }
    let form = headers.get(FORM).map(HeaderValue::as_bytes);
    if !is_get && !form.is_some_and(|form| door.form.0.is(form)) {
        let error = "the request is not from a page of this server; reload the page";
        return Failed::new(StatusCode::FORBIDDEN, error).into_response();
    }
    next.run(request).await
}

/// Adds the security headers to every response.
fn secured(mut response: Response<Body>) -> Response {
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (
            header::HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
        (
            header::HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert(HeaderValue::from_static("default-src 'none'"));
    response
}
