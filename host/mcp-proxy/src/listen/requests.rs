//! Answers to a client's requests.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};

use portcullis_access::{ConnectionLimits, read_body};

use super::sessions::Sessions;
use crate::message::own::{self, INVALID_REQUEST, PARSE_ERROR, SERVER_ERROR};
use crate::message::{Kind, Message};

/// The header of a session's id.
const SESSION: &str = "mcp-session-id";

/// The state that all requests share.
pub(super) struct Shared {
    pub(super) sessions: Sessions,
    pub(super) most_bytes: usize,
    pub(super) limits: ConnectionLimits,
}

/// Handles a message of a client.
pub(super) async fn take(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let body = match read_body(body, shared.most_bytes, shared.limits.read).await {
        Ok(body) => body,
        Err(error) => return (error.status(), error.to_string()).into_response(),
    };
    let Ok(text) = String::from_utf8(body.into()) else {
        return bad(PARSE_ERROR, "the message is not UTF-8");
    };
    if text.trim_start().starts_with('[') {
        return bad(
            INVALID_REQUEST,
            "batches are not taken over HTTP; send each message by itself",
        );
    }
    let message = match Message::parse(text) {
        Ok(message) => message,
        Err(error) => return bad(INVALID_REQUEST, &error.to_string()),
    };
    let begins = matches!(&message.kind, Kind::Request { method, .. } if method == "initialize");
    let (id, session) = match (named(&headers), begins) {
        (None, true) => match shared.sessions.begin().await {
            Some(begun) => begun,
            None => {
                let why = "too many sessions are open";
                return (StatusCode::SERVICE_UNAVAILABLE, why).into_response();
            }
        },
        (None, false) => {
            return bad(
                SERVER_ERROR,
                "there is no session: begin with `initialize`, and send its `Mcp-Session-Id`",
            );
        }
        (Some(id), _) => match shared.sessions.get(id) {
            Some(session) => (id.to_owned(), session),
            None => return StatusCode::NOT_FOUND.into_response(),
        },
    };
    let Kind::Request { id: request, .. } = &message.kind else {
        return match session.pass(message).await {
            true => StatusCode::ACCEPTED.into_response(),
            false => StatusCode::NOT_FOUND.into_response(),
        };
    };
    let Some(answers) = session.expect(request.clone()) else {
        return bad(INVALID_REQUEST, "a request with this id is open");
    };
    if !session.pass(message).await {
        return StatusCode::NOT_FOUND.into_response();
    }
    ([(SESSION, id)], answers.into_events()).into_response()
}

/// Opens the stream of the server's own messages.
pub(super) async fn stream(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Response {
    let Some(session) = named(&headers).and_then(|id| shared.sessions.get(id)) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    match session.open_stream() {
        Some(messages) => messages.into_events().into_response(),
        None => (StatusCode::CONFLICT, "the session has a stream already").into_response(),
    }
}

/// Ends a session at a client's request.
pub(super) async fn end(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Response {
    match named(&headers).is_some_and(|id| shared.sessions.end(id)) {
        true => StatusCode::NO_CONTENT.into_response(),
        false => StatusCode::NOT_FOUND.into_response(),
    }
}

fn named(headers: &HeaderMap) -> Option<&str> {
    headers.get(SESSION)?.to_str().ok()
}

/// Returns an error for a message that is not passed on.
fn bad(code: i32, why: &str) -> Response {
    let headers = [("content-type", "application/json")];
    let error = own::error(None, code, why);
    (StatusCode::BAD_REQUEST, headers, error).into_response()
}
