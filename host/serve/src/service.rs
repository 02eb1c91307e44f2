//! The paths.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{delete, get, post};
use axum::{Json, Router};
use portcullis_access::{Access, guard, read_body};
use portcullis_bridge::{AnswerRequest, Bridge, CallReply};
use portcullis_dialects::{AnsweredEvent, Dialect, Event};
use serde::de::DeserializeOwned;
use tokio::sync::Semaphore;

use crate::api::{Failed, Health, PointRequest};
use crate::events::Events;
use crate::metrics::Metrics;
use crate::options::ServeOptions;

/// What all requests share.
pub(crate) struct Shared {
    pub(crate) bridge: Bridge,
    pub(crate) events: Events,
    pub(crate) metrics: Metrics,
    room: Semaphore,
    calls: usize,
    body_bytes: usize,
    read: Duration,
    used: parking_lot::Mutex<Instant>,
}

impl Shared {
    pub(crate) fn new(bridge: Bridge, options: &ServeOptions) -> Self {
        Self {
            bridge,
            events: Events::default(),
            metrics: Metrics::default(),
            room: Semaphore::new(options.calls),
            calls: options.calls,
            body_bytes: options.body_bytes,
            read: options.connections.read,
            used: parking_lot::Mutex::new(Instant::now()),
        }
    }

    /// For how long nobody has used it; nothing while a call is answered.
    pub(crate) fn idle(&self) -> Option<Duration> {
        let free = self.room.available_permits();
        (free == self.calls).then(|| self.used.lock().elapsed())
    }
}

/// The paths, for requests over TCP if access is checked.
pub(crate) fn router(shared: &Arc<Shared>, by_tcp: Option<Access>) -> Router {
    let limited = Router::new()
        .route("/v1/points/{name}", post(call))
        .route("/v1/answers", post(answer))
        .route("/v1/events/{dialect}", post(event))
        .route("/v1/sessions/{id}", delete(close))
        .layer(middleware::from_fn_with_state(shared.clone(), limit));
    let router = Router::new()
        .merge(limited)
        .route("/health", get(health))
        .route("/metrics", get(metrics))
        .route(
            "/openapi.json",
            get(async || Json(crate::openapi::document())),
        )
        .fallback(async || Failed::new(StatusCode::NOT_FOUND, "no such path; see /openapi.json"))
        .with_state(shared.clone());
    match by_tcp {
        Some(by_tcp) => router.layer(middleware::from_fn_with_state(by_tcp, guard)),
        None => router,
    }
}

/// Refuses requests over the limit, and counts errors.
async fn limit(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let response = match shared.room.try_acquire() {
        Ok(_place) => {
            let _counted = shared.metrics.in_flight();
            let response = next.run(request).await;
            *shared.used.lock() = Instant::now();
            response
        }
        Err(_) => Failed::busy("too many calls at once; send it again later").into_response(),
    };
    if !response.status().is_success() {
        shared.metrics.failed(response.status().as_u16());
    }
    response
}

async fn call(
    State(shared): State<Arc<Shared>>,
    Path(point): Path<String>,
    body: Body,
) -> Result<Json<CallReply>, Failed> {
    let request: PointRequest = read(&shared, body).await?;
    let started = Instant::now();
    let reply = shared.bridge.call(request.at(point.clone())).await?;
    let took = started.elapsed();
    shared.metrics.decided(&point, &reply.decision, took);
    Ok(Json(reply))
}

async fn answer(State(shared): State<Arc<Shared>>, body: Body) -> Result<Json<CallReply>, Failed> {
    let request: AnswerRequest = read(&shared, body).await?;
    Ok(Json(shared.bridge.answer(request).await?))
}

async fn event(
    State(shared): State<Arc<Shared>>,
    Path(dialect): Path<String>,
    body: Body,
) -> Result<Json<AnsweredEvent>, Failed> {
    let dialect: Dialect = dialect.parse().map_err(|_| {
        Failed::new(
            StatusCode::NOT_FOUND,
            "the dialects are claude, codex, gemini",
        )
    })?;
    let body = bytes(&shared, body).await?;
    let event = Event::read(dialect, &body)
        .map_err(|error| Failed::new(StatusCode::BAD_REQUEST, error.to_string()))?;
    let started = Instant::now();
    let answered = shared.events.answer(&event, &shared.bridge).await;
    shared.metrics.answered(&event, started.elapsed());
    Ok(Json(answered))
}

async fn close(
    State(shared): State<Arc<Shared>>,
    Path(session): Path<String>,
) -> Result<StatusCode, Failed> {
    shared.bridge.close_session(&session).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn health(State(shared): State<Arc<Shared>>) -> Json<Health> {
    Json(Health {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        hooks: shared.bridge.hooks().reports().len(),
        sessions: shared.bridge.open_sessions(),
    })
}

async fn metrics(State(shared): State<Arc<Shared>>) -> Result<String, Failed> {
    let open = i64::try_from(shared.bridge.open_sessions()).unwrap_or(i64::MAX);
    shared.metrics.sessions.set(open);
    if let Some(mappings) = shared.bridge.hooks().memory_mappings() {
        shared.metrics.mapped(mappings);
    }
    let failed =
        |error: std::fmt::Error| Failed::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string());
    shared.metrics.text().map_err(failed)
}

/// Reads a body, in the time and with the bytes that it may have.
async fn bytes(shared: &Shared, body: Body) -> Result<Bytes, Failed> {
    let read = read_body(body, shared.body_bytes, shared.read).await;
    read.map_err(|error| Failed::new(error.status(), error.to_string()))
}

async fn read<T: DeserializeOwned>(shared: &Shared, body: Body) -> Result<T, Failed> {
    let bytes = bytes(shared, body).await?;
    serde_json::from_slice(&bytes).map_err(|error| {
        // What a parser says may quote the body.
        let why = portcullis::text::sanitize_for_terminal(&error.to_string());
        Failed::new(StatusCode::BAD_REQUEST, format!("the body is wrong: {why}"))
    })
}
