//! Clients over streamable HTTP.

mod options;
mod session;
mod sessions;

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use futures::StreamExt as _;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::message::own::{self, INVALID_REQUEST, PARSE_ERROR, SERVER_ERROR};
use crate::message::{Kind, Message};
use crate::transport::{Connection, Frame};
use portcullis_access::{Access, Pages, Refused};
use session::Stream;
use sessions::Sessions;

pub use options::{ListenError, ListenOptions};

/// The path under which the proxy answers.
pub const PATH: &str = "/mcp";

/// The header of a session's id.
const SESSION: &str = "mcp-session-id";

/// Clients that begin a session.
#[derive(Debug)]
pub struct Listener {
    /// The address that it listens on.
    pub address: SocketAddr,
    /// A connection for each session that a client begins.
    pub accepted: mpsc::Receiver<Connection>,
}

struct Shared {
    access: Access,
    sessions: Sessions,
    stop: CancellationToken,
}

/// Listens until `stop` is cancelled.
///
/// # Errors
///
/// The address cannot be used, or there is no token.
pub async fn listen(
    options: ListenOptions,
    stop: CancellationToken,
) -> Result<Listener, ListenError> {
    let address = options.address;
    if !options.remote && !address.ip().is_loopback() {
        return Err(ListenError::Remote(address));
    }
    let listener = TcpListener::bind(address).await;
    let listener = listener.map_err(|error| ListenError::Bind { address, error })?;
    let address = listener.local_addr();
    let address = address.map_err(|error| ListenError::Bind {
        address: options.address,
        error,
    })?;
    let (accept, accepted) = mpsc::channel(1);
    let shared = Arc::new(Shared {
        access: Access {
            token: options.token,
            loopback: address.ip().is_loopback(),
            pages: Pages::OfLoopback,
        },
        sessions: Sessions::new(accept, options.most_sessions),
        stop: stop.clone(),
    });
    let router = Router::new()
        .route(PATH, post(take).get(stream).delete(end))
        .layer(DefaultBodyLimit::max(options.most_bytes))
        .with_state(shared);
    tokio::spawn(async move {
        let served = axum::serve(listener, router).with_graceful_shutdown(stop.cancelled_owned());
        if let Err(error) = served.await {
            tracing::error!("the MCP proxy listens no more: {error}");
        }
    });
    Ok(Listener { address, accepted })
}

/// A message of a client.
async fn take(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> Response {
    if let Err(refused) = shared.access.check(&headers) {
        return not_let_in(refused);
    }
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
                return (
                    StatusCode::SERVICE_UNAVAILABLE,
                    "too many sessions are open",
                )
                    .into_response();
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
        return match session.pass(Frame::Message(message.into_text())).await {
            true => StatusCode::ACCEPTED.into_response(),
            false => StatusCode::NOT_FOUND.into_response(),
        };
    };
    let Some(answers) = session.expect(request.clone()) else {
        return bad(INVALID_REQUEST, "a request with this id is open");
    };
    if !session.pass(Frame::Message(message.into_text())).await {
        return StatusCode::NOT_FOUND.into_response();
    }
    let events = events(answers, &shared.stop);
    let headers = [(SESSION, id)];
    (headers, events).into_response()
}

/// The stream of the server's own messages.
async fn stream(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Response {
    if let Err(refused) = shared.access.check(&headers) {
        return not_let_in(refused);
    }
    let Some(session) = named(&headers).and_then(|id| shared.sessions.get(id)) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    match session.open_stream() {
        Some(messages) => events(messages, &shared.stop).into_response(),
        None => (StatusCode::CONFLICT, "the session has a stream already").into_response(),
    }
}

/// A client ends its session.
async fn end(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Response {
    if let Err(refused) = shared.access.check(&headers) {
        return not_let_in(refused);
    }
    match named(&headers).is_some_and(|id| shared.sessions.end(id)) {
        true => StatusCode::NO_CONTENT.into_response(),
        false => StatusCode::NOT_FOUND.into_response(),
    }
}

fn named(headers: &HeaderMap) -> Option<&str> {
    headers.get(SESSION)?.to_str().ok()
}

fn not_let_in(refused: Refused) -> Response {
    (refused.status(), refused.to_string()).into_response()
}

/// An error for a message that is not passed on.
fn bad(code: i32, why: &str) -> Response {
    let headers = [("content-type", "application/json")];
    (
        StatusCode::BAD_REQUEST,
        headers,
        own::error(None, code, why),
    )
        .into_response()
}

fn events(messages: Stream, stop: &CancellationToken) -> impl IntoResponse + use<> {
    let messages = messages.take_until(stop.clone().cancelled_owned());
    // Only between values can JSON have one, and an event cannot.
    let texts = messages.map(|text| text.replace('\r', " "));
    let events = texts.map(|text| Ok::<_, Infallible>(Event::default().data(text)));
    Sse::new(events).keep_alive(KeepAlive::default())
}
