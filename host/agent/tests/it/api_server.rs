//! A server on the loopback that returns given answers and records requests.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use futures::FutureExt as _;
use futures::future::BoxFuture;
use portcullis::contract::{Message, ToolSpec};
use portcullis::tools::ToolCatalog;
use portcullis_agent::{Delta, DeltaSink, LlmRequest, Signature, Signatures};
use serde_json::Value;

/// A recorded request.
pub struct Asked {
    pub path: String,
    pub headers: HeaderMap,
    pub body: Value,
}

/// An answer of the server.
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: String,
}

impl Reply {
    pub fn json(body: Value) -> Self {
        Self::status(200, body)
    }

    pub fn status(status: u16, body: Value) -> Self {
        Self {
            status,
            headers: vec![("content-type", "application/json".into())],
            body: body.to_string(),
        }
    }

    /// Returns server-sent events, each with data and an optional name.
    pub fn events<'a>(events: impl IntoIterator<Item = (&'a str, String)>) -> Self {
        let body = events
            .into_iter()
            .map(|(name, data)| match name {
                "" => format!("data: {data}\n\n"),
                name => format!("event: {name}\ndata: {data}\n\n"),
            })
            .collect();
        Self {
            status: 200,
            headers: vec![("content-type", "text/event-stream".into())],
            body,
        }
    }

    pub fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.into()));
        self
    }
}

#[derive(Clone, Default)]
struct Shared {
    replies: Arc<Mutex<VecDeque<Reply>>>,
    asked: Arc<Mutex<Vec<Asked>>>,
}

/// A server on the loopback.
pub struct Server {
    pub address: SocketAddr,
    shared: Shared,
}

impl Server {
    pub async fn start(replies: impl IntoIterator<Item = Reply>) -> Self {
        let shared = Shared::default();
        shared.replies.lock().unwrap().extend(replies);
        let app = Router::new().fallback(answer).with_state(shared.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { address, shared }
    }

    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Takes the requests so far.
    pub fn asked(&self) -> Vec<Asked> {
        std::mem::take(&mut self.shared.asked.lock().unwrap())
    }
}

async fn answer(
    State(shared): State<Shared>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    shared.asked.lock().unwrap().push(Asked {
        path: uri.path().to_owned(),
        headers,
        body: serde_json::from_slice(&body).unwrap_or(Value::Null),
    });
    let reply = shared.replies.lock().unwrap().pop_front();
    let Some(reply) = reply else {
        return Response::builder()
            .status(StatusCode::IM_A_TEAPOT)
            .body(Body::empty())
            .unwrap();
    };
    let mut response = Response::builder().status(reply.status);
    for (name, value) in reply.headers {
        response = response.header(name, value);
    }
    response.body(Body::from(reply.body)).unwrap()
}

/// Returns a request with these messages and the tool `look`.
pub fn request(messages: Vec<Message>) -> LlmRequest {
    let look = ToolSpec {
        name: "look".into(),
        description: "Looks.".into(),
        schema: r#"{"type":"object","properties":{"at":{"type":"string"}}}"#.into(),
    };
    LlmRequest {
        model: "model-1".into(),
        messages: Arc::new(messages),
        signatures: Arc::default(),
        tools: Arc::new(ToolCatalog::new([look]).unwrap()),
        temperature: Some(0.5),
        max_output_tokens: Some(99),
        response_format: None,
        trace: None,
    }
}

/// Records the pieces, and the signatures of the reasoning.
#[derive(Default)]
pub struct Pieces(pub Vec<String>, pub Signatures);

impl DeltaSink for Pieces {
    fn push<'a>(&'a mut self, delta: Delta<'a>) -> BoxFuture<'a, ControlFlow<()>> {
        self.0.push(match delta {
            Delta::Text(text) => text.into(),
            Delta::Thinking(text) => format!("({text})"),
        });
        std::future::ready(ControlFlow::Continue(())).boxed()
    }

    fn sign(&mut self, reasoning: &str, signature: Signature) {
        self.1.add(reasoning, signature);
    }
}
