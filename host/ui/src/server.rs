//! The server: its paths, its start and its end.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::middleware;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use maud::html;
use portcullis_access::{ConnectionLimits, Connections, Failed, read_body};
use portcullis_explain::page as file;
use serde::de::DeserializeOwned;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use url::form_urlencoded;

use crate::answer;
use crate::door::{Door, guard};
use crate::list::{self, Wanted};
use crate::live::{self, Shown};
use crate::page::{Page, missing};
use crate::row::shown;
use crate::session::Seen;
use crate::ui::{Ui, UiError};

/// The most bytes of a request's body, and the time that it may take to arrive.
const BODY: (usize, Duration) = (1 << 20, Duration::from_secs(10));

/// The interval for settling the records of dead processes. Until then their sessions are shown as
/// running.
const SETTLING: Duration = Duration::from_secs(5);

/// The time that open requests have at the end.
const DRAIN: Duration = Duration::from_secs(2);

/// A socket on loopback.
#[derive(Debug)]
pub struct Listening {
    listener: TcpListener,
    address: SocketAddr,
}

/// A server that answers requests.
#[derive(Debug)]
pub struct Serving {
    url: String,
    connections: Connections,
    taking: tokio::task::JoinHandle<()>,
}

/// The state that all requests share.
#[derive(Clone)]
struct Shared {
    ui: Ui,
    form: String,
    stop: CancellationToken,
}

impl Listening {
    /// Listens on a loopback address. Port 0 is any free port.
    ///
    /// # Errors
    ///
    /// The address is not a loopback address, or the system refuses it.
    pub async fn bind(address: SocketAddr) -> Result<Self, UiError> {
        if !address.ip().is_loopback() {
            return Err(UiError::NotLoopback(address));
        }
        let listen = async {
            let listener = TcpListener::bind(address).await?;
            let address = listener.local_addr()?;
            Ok(Self { listener, address })
        };
        let listening = listen.await;
        listening.map_err(|cause| UiError::Listen { address, cause })
    }

    /// Answers requests until `stop` is cancelled. Call it on a tokio runtime.
    ///
    /// # Errors
    ///
    /// The system gives no random bytes for a token.
    pub fn serve(self, ui: Ui, stop: CancellationToken) -> Result<Serving, UiError> {
        let (door, token) = Door::new(self.address.port())?;
        let connections = Connections::new(ConnectionLimits::default(), stop.clone());
        tokio::spawn(settle(ui.clone(), stop.clone()));
        let shared = Shared {
            ui,
            form: door.form().to_owned(),
            stop,
        };
        let router = router(shared, door);
        Ok(Serving {
            url: format!("http://{}/login#{token}", self.address),
            taking: tokio::spawn(connections.clone().take(self.listener, router)),
            connections,
        })
    }
}

impl Serving {
    /// Returns the address to open, with the token. The token's holder may read everything, and
    /// answer.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Waits until it is stopped, and requests that have begun are answered.
    pub async fn ended(self) {
        if let Err(error) = self.taking.await {
            tracing::error!("the server failed: {error}");
        }
        self.connections.end(DRAIN).await;
    }
}

/// Settles the records of dead processes at an interval, until the server stops.
async fn settle(ui: Ui, stop: CancellationToken) {
    let stopped = stop.cancelled();
    tokio::pin!(stopped);
    while tokio::time::timeout(SETTLING, &mut stopped).await.is_err() {
        if let Err(error) = ui.store().settle().await {
            tracing::debug!("the sessions of dead processes were not settled: {error}");
        }
    }
}

fn router(shared: Shared, door: Door) -> Router {
    Router::new()
        .route("/", get(sessions))
        .route("/events", get(sessions_live))
        .route("/session", get(session))
        .route("/session/events", get(session_live))
        .route("/file", get(saved))
        .route(
            "/answer",
            post(async |State(shared), body| act(shared, body, answer::answer).await),
        )
        .route(
            "/continue",
            post(async |State(shared), body| act(shared, body, answer::resume).await),
        )
        .route(
            "/finish",
            post(async |State(shared), body| act(shared, body, answer::finish).await),
        )
        .route(
            "/cancel",
            post(async |State(shared), body| act(shared, body, answer::cancel).await),
        )
        .route(
            "/release",
            post(async |State(shared), body| act(shared, body, answer::release).await),
        )
        .route(
            "/discard",
            post(async |State(shared), body| act(shared, body, answer::discard).await),
        )
        .fallback(nowhere)
        .with_state(shared)
        .layer(middleware::from_fn_with_state(door, guard))
}

/// Returns a value of the address's query.
fn query(uri: &Uri, name: &str) -> Option<String> {
    let pairs = form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
    let mut values = pairs.filter(|(key, _)| key == name);
    values.next().map(|(_, value)| value.into_owned())
}

/// Returns the version that a page has.
fn version(headers: &HeaderMap, uri: &Uri) -> String {
    let last = headers.get("last-event-id");
    let last = last.and_then(|id| id.to_str().ok()).map(str::to_owned);
    last.or_else(|| query(uri, "version")).unwrap_or_default()
}

fn id(uri: &Uri) -> Result<String, Failed> {
    query(uri, "id").ok_or_else(|| Failed::new(StatusCode::BAD_REQUEST, "name a session: `?id=`"))
}

async fn sessions(State(shared): State<Shared>, uri: Uri) -> Result<Response, Failed> {
    let wanted = Wanted::read(|name| query(&uri, name));
    let parts = list::parts(&shared.ui, &wanted).await?;
    let page = Page {
        title: "Sessions",
        version: live::version_of(&parts),
        parts,
        events: wanted.address("/events"),
        form: &shared.form,
    };
    Ok(page.into_response())
}

async fn sessions_live(
    State(shared): State<Shared>,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Failed> {
    let shown = Shown::List(Wanted::read(|name| query(&uri, name)));
    let version = version(&headers, &uri);
    let stream = live::stream(shared.ui, shown, version, shared.stop).await?;
    Ok(stream.into_response())
}

/// Returns whether a request is for a page, like a request from a browser's address bar.
fn wants_page(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter();
    let accepted = accepted.filter_map(|value| value.to_str().ok());
    let mut kinds = accepted.flat_map(|value| value.split(','));
    kinds.any(|kind| {
        let name = kind.split(';').next().unwrap_or_default();
        name.trim().eq_ignore_ascii_case("text/html")
    })
}

async fn nowhere(headers: HeaderMap) -> Response {
    match wants_page(&headers) {
        true => missing("Not found", html! { "There is no such page." }),
        false => Failed::new(StatusCode::NOT_FOUND, "there is no such page").into_response(),
    }
}

async fn session(
    State(shared): State<Shared>,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Failed> {
    let id = id(&uri)?;
    let seen = Seen::now(&shared.ui, &id).await?;
    if !seen.is_known() && wants_page(&headers) {
        let why = html! { "The journal has no session " code { (shown(&id)) } "." };
        return Ok(missing("Not found", why));
    }
    if !seen.is_known() {
        return Err(Failed::new(
            StatusCode::NOT_FOUND,
            "the journal has no such session",
        ));
    }
    let page = Page {
        title: &id,
        version: seen.version(),
        parts: seen.parts(&shared.ui).await?,
        events: format!("/session/events?{}", uri.query().unwrap_or_default()),
        form: &shared.form,
    };
    Ok(page.into_response())
}

async fn session_live(
    State(shared): State<Shared>,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Failed> {
    let shown = Shown::Session(id(&uri)?);
    let version = version(&headers, &uri);
    let stream = live::stream(shared.ui, shown, version, shared.stop).await?;
    Ok(stream.into_response())
}

/// Returns the session as one file.
async fn saved(State(shared): State<Shared>, uri: Uri) -> Result<Response, Failed> {
    let id = id(&uri)?;
    let seen = Seen::now(&shared.ui, &id).await?;
    let explanation = seen.explanation(&shared.ui).await?;
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"session.html\"",
        ),
    ];
    Ok((headers, file(&explanation)).into_response())
}

/// Reads a person's action, and performs it.
async fn act<T, F>(
    shared: Shared,
    body: Body,
    act: impl FnOnce(Ui, T) -> F,
) -> Result<StatusCode, Failed>
where
    T: DeserializeOwned,
    F: Future<Output = Result<(), Failed>>,
{
    let (most, within) = BODY;
    let read = read_body(body, most, within).await;
    let bytes = read.map_err(|error| Failed::new(error.status(), error.to_string()))?;
    let given = serde_json::from_slice(&bytes).map_err(|error| {
        let why = portcullis::text::sanitize_for_terminal(&error.to_string());
        Failed::new(StatusCode::BAD_REQUEST, format!("the body is wrong: {why}"))
    })?;
    act(shared.ui, given).await?;
    Ok(StatusCode::NO_CONTENT)
}
