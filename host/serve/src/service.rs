//! The handlers of the paths.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{delete, get, post};
use axum::{Json, Router};
use portcullis::trace::TraceContext;
use portcullis_access::{Access, Failed, guard, read_body};
use portcullis_bridge::{AnswerRequest, Bridge, CallReply};
use portcullis_dialects::{AnsweredEvent, Dialect, Event};
use portcullis_telemetry::{Entry, EntryContext, Metrics, Telemetry};
use serde::de::DeserializeOwned;
use tokio::sync::Semaphore;

use crate::api::{Health, PointRequest, failed};
use crate::events::{Events, unanswered};
use crate::options::ServeOptions;

/// The state that all requests share.
pub(crate) struct Shared {
    pub(crate) bridge: Bridge,
    pub(crate) events: Events,
    pub(crate) metrics: Metrics,
    telemetry: Option<Telemetry>,
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
            metrics: match &options.telemetry {
                Some(telemetry) => telemetry.metrics().clone(),
                None => Metrics::for_prometheus(),
            },
            telemetry: options.telemetry.clone(),
            room: Semaphore::new(options.calls),
            calls: options.calls,
            body_bytes: options.body_bytes,
            read: options.connections.read,
            used: parking_lot::Mutex::new(Instant::now()),
        }
    }

    /// Registers the bridge's hooks and sessions with the metrics.
    pub(crate) fn watch(self: &Arc<Self>) {
        self.metrics.watch(self.bridge.hooks());
        let shared = Arc::downgrade(self);
        let open = move || {
            shared
                .upgrade()
                .map_or(0, |shared| shared.bridge.open_sessions())
        };
        self.metrics.watch_sessions(open);
    }

    /// Begins the span of a request, if requests are recorded. Also returns the context of the
    /// call.
    fn enter(
        &self,
        route: &'static str,
        headers: &HeaderMap,
    ) -> (Option<Entry>, Option<EntryContext>) {
        let get = |name: &str| headers.get(name)?.to_str().ok();
        let parent = get("traceparent").and_then(|parent| {
            TraceContext::from_headers(parent, get("tracestate"), get("baggage")).ok()
        });
        let Some(telemetry) = &self.telemetry else {
            return (None, parent.map(EntryContext::passed_on));
        };
        let mut entry = telemetry.enter(format!("POST {route}"), parent.as_ref());
        entry.set("http.request.method", "POST");
        entry.set("http.route", route);
        let within = entry.within();
        (Some(entry), within)
    }

    /// Returns the time since the last request; `None` while a call is answered.
    pub(crate) fn idle(&self) -> Option<Duration> {
        let free = self.room.available_permits();
        (free == self.calls).then(|| self.used.lock().elapsed())
    }
}

/// Returns the router of the paths. `by_tcp` is the access that requests over TCP need.
pub(crate) fn router(shared: &Arc<Shared>, by_tcp: Option<Access>) -> Router {
    let limited = Router::new()
        .route("/v1/points/{name}", post(call))
        .route("/v1/answers", post(answer))
        .route("/v1/events/{dialect}", post(event))
        .route("/v1/sessions/{id}", delete(close))
        .method_not_allowed_fallback(no_method)
        .layer(middleware::from_fn_with_state(shared.clone(), limit));
    let router = Router::new()
        .merge(limited)
        .route("/health", get(health))
        .route("/metrics", get(metrics))
        .route(
            "/openapi.json",
            get(async || Json(crate::openapi::document())),
        )
        .method_not_allowed_fallback(no_method)
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

async fn no_method() -> Failed {
    let error = "the path does not take this method; see /openapi.json";
    Failed::new(StatusCode::METHOD_NOT_ALLOWED, error)
}

async fn call(
    State(shared): State<Arc<Shared>>,
    Path(point): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<CallReply>, Failed> {
    let request: PointRequest = read(&shared, body).await?;
    let started = Instant::now();
    let (mut entry, within) = shared.enter("/v1/points/{name}", &headers);
    let trace = within.as_ref().map(EntryContext::of_call);
    let session = request.context.session_id.clone();
    let called = shared
        .bridge
        .call_within(request.at(point.clone()), trace)
        .await;
    if let Some(entry) = &mut entry {
        entry.set("gen_ai.conversation.id", session);
        match &called {
            Ok(reply) => {
                entry.set("portcullis.point", point.clone());
                entry.decided(reply.decision.name());
            }
            Err(_) => entry.fail("not-decided"),
        }
    }
    let reply = called.map_err(|error| failed(&error))?;
    let took = started.elapsed();
    let decision = reply.decision.name();
    shared.metrics.decided(&point, decision, took);
    Ok(Json(reply))
}

async fn answer(State(shared): State<Arc<Shared>>, body: Body) -> Result<Json<CallReply>, Failed> {
    let request: AnswerRequest = read(&shared, body).await?;
    let answered = shared.bridge.answer(request).await;
    Ok(Json(answered.map_err(|error| failed(&error))?))
}

async fn event(
    State(shared): State<Arc<Shared>>,
    Path(dialect): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<AnsweredEvent>, Failed> {
    let dialect = dialect
        .parse::<Dialect>()
        .map_err(|error| Failed::new(StatusCode::NOT_FOUND, error.to_string()))?;
    let body = bytes(&shared, body).await?;
    let event = Event::read(dialect, &body)
        .map_err(|error| Failed::new(StatusCode::BAD_REQUEST, error.to_string()))?;
    let started = Instant::now();
    let name = event.known_name();
    let (mut entry, within) = shared.enter("/v1/events/{dialect}", &headers);
    if let Some(entry) = &mut entry {
        entry.set("gen_ai.conversation.id", event.session().to_owned());
        entry.set("portcullis.dialect", dialect.name());
        entry.set("portcullis.event", name);
    }
    let bridge = &shared.bridge;
    let answered = shared.events.answer(&event, bridge, within.as_ref()).await;
    if let (Err(_), Some(entry)) = (&answered, &mut entry) {
        entry.fail("not-decided");
    }
    let took = started.elapsed();
    shared.metrics.answered(dialect.name(), name, took);
    Ok(Json(
        answered.unwrap_or_else(|error| unanswered(&event, &error)),
    ))
}

async fn close(
    State(shared): State<Arc<Shared>>,
    Path(session): Path<String>,
) -> Result<StatusCode, Failed> {
    let closed = shared.bridge.close_session(&session).await;
    closed.map_err(|error| failed(&error))?;
    Ok(StatusCode::NO_CONTENT)
}

async fn health(State(shared): State<Arc<Shared>>) -> Json<Health> {
    let hooks = shared.bridge.hooks();
    let quarantined = hooks.quarantined().into_iter();
    Json(Health {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        hooks: hooks.reports().len(),
        quarantined: quarantined.map(|of| of.hook.to_string()).collect(),
        broken: hooks.broken().len(),
        sessions: shared.bridge.open_sessions(),
    })
}

async fn metrics(State(shared): State<Arc<Shared>>) -> String {
    shared.metrics.text()
}

/// Reads a body within the limits on time and size.
async fn bytes(shared: &Shared, body: Body) -> Result<Bytes, Failed> {
    let read = read_body(body, shared.body_bytes, shared.read).await;
    read.map_err(|error| Failed::new(error.status(), error.to_string()))
}

async fn read<T: DeserializeOwned>(shared: &Shared, body: Body) -> Result<T, Failed> {
    let bytes = bytes(shared, body).await?;
    serde_json::from_slice(&bytes).map_err(|error| {
        // The parser's message may quote the body.
        let why = portcullis::text::sanitize_for_terminal(&error.to_string());
        Failed::new(StatusCode::BAD_REQUEST, format!("the body is wrong: {why}"))
    })
}
