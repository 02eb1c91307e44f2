//! The HTTP/2 server of a worker, which a Restate server calls.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::StreamExt as _;
use http::{Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full, StreamBody, combinators::BoxBody};
use hyper::body::{Frame, Incoming};
use hyper::server::conn::http2;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use parking_lot::Mutex;
use portcullis_agent::{Agent, NewSession, TurnStore};
use portcullis_store::Store;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::client::said;
use crate::invocation::{Invocation, headers_of};
use crate::message::service_name;
use crate::object::{self, Handler, manifest};
use crate::segment::Serving;

/// The time limit for parked turns and their connections once the worker is stopped.
const STOP: Duration = Duration::from_secs(10);

/// The maximum number of invocations of one connection at the same time.
const STREAMS: u32 = 10_000;

type Body = BoxBody<Bytes, Infallible>;

/// The reason why a worker is not registered with its server.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorkerError {
    /// The server does not answer.
    #[error(
        "the Restate server at {url} does not answer: {cause}; start it, or name its admin URL"
    )]
    Away {
        /// The server's admin URL.
        url: Url,
        /// The error text.
        cause: String,
    },
    /// The server refused the worker.
    #[error("the Restate server at {url} refused the worker: {said}")]
    Refused {
        /// The server's admin URL.
        url: Url,
        /// The server's message.
        said: String,
    },
}

/// Serves an agent to a Restate server. Cheap to clone.
#[derive(Clone)]
pub struct Worker {
    serving: Arc<Serving>,
    service: Arc<str>,
    stopping: CancellationToken,
    /// Held by all running tasks, until the worker stops.
    alive: Arc<Mutex<Option<mpsc::Sender<()>>>>,
}

impl Worker {
    /// Creates a worker for an agent. All workers share `store`. `new_session` makes a session from
    /// the agent's file, with an approver; the worker sets the session's id, stores and trace.
    pub fn new(
        agent: Agent,
        store: Store,
        new_session: impl Fn() -> NewSession + Send + Sync + 'static,
    ) -> Self {
        let service = service_name(&agent.context().config.name).into();
        Self {
            serving: Arc::new(Serving {
                events: agent.context().events.clone(),
                agent,
                store,
                new_session: Box::new(new_session),
                around_records: Box::new(|record| record),
            }),
            service,
            stopping: CancellationToken::new(),
            alive: Arc::default(),
        }
    }

    /// Wraps the record of each turn, such as to measure it. Call it before the worker serves.
    pub fn around_records(
        mut self,
        around: impl Fn(Arc<dyn TurnStore>) -> Arc<dyn TurnStore> + Send + Sync + 'static,
    ) -> Self {
        if let Some(serving) = Arc::get_mut(&mut self.serving) {
            serving.around_records = Box::new(around);
        }
        self
    }

    /// Serves until `stopped`. The turns that run then are parked: the server gives them to another worker.
    pub async fn serve(&self, listener: TcpListener, stopped: impl Future<Output = ()>) {
        let mut stopped = std::pin::pin!(stopped);
        let (alive, mut all) = mpsc::channel::<()>(1);
        *self.alive.lock() = Some(alive.clone());
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = &mut stopped => break,
            };
            let Ok((stream, _)) = accepted else {
                // For example, too many open files.
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            // Each effect is a small message and its answer: without this option, it waits 40 ms for an
            // acknowledgement.
            if let Err(error) = stream.set_nodelay(true) {
                tracing::debug!("a connection of the server is slow: {error}");
            }
            let (worker, alive) = (self.clone(), alive.clone());
            tokio::spawn(async move {
                let _alive = alive;
                let service = service_fn(|request| {
                    let response = worker.respond(request);
                    async move { Ok::<_, Infallible>(response) }
                });
                let mut builder = http2::Builder::new(TokioExecutor::new());
                builder.max_concurrent_streams(STREAMS);
                let connection = builder.serve_connection(TokioIo::new(stream), service);
                let mut connection = std::pin::pin!(connection);
                let ended = tokio::select! {
                    ended = &mut connection => ended,
                    () = worker.stopping.cancelled() => {
                        connection.as_mut().graceful_shutdown();
                        connection.await
                    }
                };
                if let Err(error) = ended {
                    tracing::debug!("a connection of the server ended: {error}");
                }
            });
        }
        self.stopping.cancel();
        self.alive.lock().take();
        drop(alive);
        if tokio::time::timeout(STOP, all.recv()).await.is_err() {
            tracing::warn!("turns did not stop within {STOP:?}");
        }
    }

    fn respond(&self, request: Request<Incoming>) -> Response<Body> {
        let path = request.uri().path().to_owned();
        let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
        match parts.as_slice() {
            [.., "health"] => text(StatusCode::OK, String::new()),
            [.., "discover"] => self.discovered(&request),
            [.., "invoke", service, handler] if **service == *self.service => {
                let handler = Handler::ALL.into_iter().find(|it| it.name() == *handler);
                match handler {
                    Some(handler) => self.invoke(handler, request),
                    None => text(StatusCode::NOT_FOUND, format!("there is no {path}")),
                }
            }
            _ => text(StatusCode::NOT_FOUND, format!("there is no {path}")),
        }
    }

    fn discovered(&self, request: &Request<Incoming>) -> Response<Body> {
        const VERSION: &str = "application/vnd.restate.endpointmanifest.v4+json";
        let accepts = request.headers().get(http::header::ACCEPT);
        let accepts = accepts.and_then(|it| it.to_str().ok()).unwrap_or(VERSION);
        if !accepts.contains(VERSION) {
            let why = "this worker needs a Restate server of version 1.5 or later";
            return text(StatusCode::UNSUPPORTED_MEDIA_TYPE, why.into());
        }
        let body = manifest(&self.service).to_string();
        respond(StatusCode::OK, [("content-type", VERSION)], full(body))
    }

    fn invoke(&self, handler: Handler, request: Request<Incoming>) -> Response<Body> {
        let (parts, body) = request.into_parts();
        let (sender, receiver) = mpsc::unbounded_channel();
        let (head, invocation) = match Invocation::new(parts.headers, body, sender) {
            Ok(begun) => begun,
            Err(error) => {
                let status = StatusCode::from_u16(error.code());
                let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
                return text(status, error.to_string());
            }
        };
        let (serving, service) = (self.serving.clone(), self.service.to_string());
        let stopping = self.stopping.clone();
        let alive = self.alive.lock().clone();
        tokio::spawn(async move {
            object::serve(serving, service, handler, invocation, stopping).await;
            drop(alive);
        });
        let frames = tokio_stream(receiver).map(|bytes| Ok(Frame::data(bytes)));
        let status = StatusCode::from_u16(head.status_code).unwrap_or(StatusCode::OK);
        respond(
            status,
            headers_of(&head),
            http_body_util::BodyExt::boxed(StreamBody::new(frames)),
        )
    }
}

fn tokio_stream(
    receiver: mpsc::UnboundedReceiver<Bytes>,
) -> impl futures::Stream<Item = Bytes> + Send + Sync {
    futures::stream::unfold(receiver, |mut receiver| async move {
        receiver.recv().await.map(|bytes| (bytes, receiver))
    })
}

fn full(body: String) -> Body {
    Full::new(Bytes::from(body)).boxed()
}

fn text(status: StatusCode, body: String) -> Response<Body> {
    respond(status, [("content-type", "text/plain")], full(body))
}

fn respond<'a>(
    status: StatusCode,
    headers: impl IntoIterator<Item = (&'a str, &'a str)>,
    body: Body,
) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    let server = concat!("portcullis/", env!("CARGO_PKG_VERSION"));
    for (name, value) in headers.into_iter().chain([("x-restate-server", server)]) {
        let name = http::HeaderName::from_bytes(name.as_bytes());
        if let (Ok(name), Ok(value)) = (name, http::HeaderValue::from_str(value)) {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

/// Registers a worker at a server. `worker` is a URL at which the server reaches the worker, or a
/// load balancer before several workers.
///
/// # Errors
///
/// The server does not answer, or refuses the worker.
pub async fn register(admin: &Url, worker: &Url) -> Result<(), WorkerError> {
    let away = |error: reqwest::Error| WorkerError::Away {
        url: admin.clone(),
        cause: root(&error),
    };
    let deployment = json!({ "uri": worker.as_str(), "force": true });
    let url = format!("{}/deployments", admin.as_str().trim_end_matches('/'));
    let answer = reqwest::Client::new().post(url).json(&deployment).send();
    let answer = answer.await.map_err(away)?;
    if answer.status().is_success() {
        return Ok(());
    }
    Err(WorkerError::Refused {
        url: admin.clone(),
        said: said(answer).await,
    })
}

/// Returns the text of an error's innermost cause.
fn root(error: &dyn std::error::Error) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    error.to_string()
}

impl Worker {
    /// Returns the URL of a worker that listens on an address.
    ///
    /// # Errors
    ///
    /// The address cannot be part of a URL.
    pub fn url(address: SocketAddr) -> Result<Url, url::ParseError> {
        Url::parse(&format!("http://{address}/"))
    }
}

impl std::fmt::Debug for Worker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Worker")
            .field("service", &self.service)
            .finish_non_exhaustive()
    }
}
