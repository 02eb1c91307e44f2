//! Documents.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use portcullis_explain::{Document, Part};

const STYLE: &str = include_str!("page/style.css");
const SCRIPT: &str = include_str!("page/live.js");
const LOGIN: &str = include_str!("page/login.js");
const FOOTER: &str = "Served by `portcullis ui` on this machine. It asks no other.";

/// A page, and its request for updates.
pub(crate) struct Page<'a> {
    pub(crate) title: &'a str,
    pub(crate) parts: Vec<Part>,
    /// The path of the update stream.
    pub(crate) events: String,
    /// The version of the parts.
    pub(crate) version: String,
    /// The token of requests that change something.
    pub(crate) form: &'a str,
}

impl IntoResponse for Page<'_> {
    fn into_response(self) -> Response {
        let document = Document {
            title: self.title,
            parts: self.parts,
            footer: FOOTER,
            style: STYLE,
            script: SCRIPT,
            meta: vec![
                ("portcullis-events", self.events),
                ("portcullis-version", self.version),
                ("portcullis-form", self.form.to_owned()),
            ],
        };
        respond(StatusCode::OK, &document.policy(), document.html())
    }
}

/// Returns a page that says that something does not exist, with a link to the list of sessions.
pub(crate) fn missing(title: &str, why: Markup) -> Response {
    let bar = html! { div #bar { a href="/" { "‹ all sessions" } } };
    let why = html! { p #none { (why) } };
    let document = Document {
        title,
        parts: vec![part("bar", bar), part("none", why)],
        footer: FOOTER,
        style: STYLE,
        ..Document::default()
    };
    respond(StatusCode::NOT_FOUND, &document.policy(), document.html())
}

/// Returns the login page, which gets the cookie.
pub(crate) fn login(status: StatusCode) -> Response {
    let document = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="color-scheme" content="light dark";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Portcullis" }
                style { (PreEscaped(STYLE)) }
            }
            body.login {
                main {
                    h1 { "Portcullis" }
                    p #said { "Open the address that " code { "portcullis ui" } " printed: it ends with a token." }
                }
                script { (PreEscaped(LOGIN)) }
            }
        }
    };
    let policy = Document {
        style: STYLE,
        script: LOGIN,
        ..Document::default()
    };
    respond(status, &policy.policy(), document.into_string())
}

fn respond(status: StatusCode, policy: &str, document: String) -> Response {
    let policy = format!("{policy}; frame-ancestors 'none'");
    let mut response = (status, Html(document)).into_response();
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// Returns a part.
pub(crate) fn part(id: impl Into<String>, html: Markup) -> Part {
    Part {
        id: id.into(),
        html: html.into_string(),
    }
}
