//! Servers over streamable HTTP that answer incorrectly.

use std::convert::Infallible;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use futures::{StreamExt as _, stream};
use portcullis::Hooks;
use portcullis_agent::McpHttpConfig;
use portcullis_mcp_proxy::{HookOptions, transport};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use super::peers::{Fronted, MOST};

/// A server whose answers the test gives.
struct Server {
    url: String,
    asked: mpsc::UnboundedReceiver<Asked>,
}

/// A message for the server, and the channel for its answer.
struct Asked {
    message: Value,
    answer: oneshot::Sender<Response>,
}

impl Server {
    async fn start() -> Self {
        let (sender, asked) = mpsc::unbounded_channel();
        let take = move |body: String| async move {
            let message = serde_json::from_str(&body).unwrap();
            let (answer, answered) = oneshot::channel();
            // The test may have ended.
            let _ = sender.send(Asked { message, answer });
            let none = |_| StatusCode::SERVICE_UNAVAILABLE.into_response();
            answered.await.unwrap_or_else(none)
        };
        let router = Router::new().route("/mcp", post(take));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { url, asked }
    }

    /// Returns a client with a proxy in front of the server.
    fn fronted(&self) -> Fronted {
        let config = McpHttpConfig::new("s", &self.url);
        let connection = transport::connect(&config, MOST).unwrap();
        Fronted::of(connection, Hooks::none(), HookOptions::default())
    }

    /// Returns the next message.
    async fn next(&mut self) -> Asked {
        self.asked.recv().await.unwrap()
    }

    /// Answers the next message, which must have this method.
    async fn answer(&mut self, method: &str, with: Response) {
        let Asked { message, answer } = self.next().await;
        assert_eq!(message["method"], method, "{message}");
        assert!(answer.send(with).is_ok());
    }
}

/// Returns an answer as a JSON body.
fn body(message: &Value) -> Response {
    ([("content-type", "application/json")], message.to_string()).into_response()
}

/// Returns a stream with this message, which stays open.
fn open_stream(message: Option<&Value>) -> Response {
    let first = message.map(|message| Ok::<_, Infallible>(format!("data: {message}\n\n")));
    let events = stream::iter(first).chain(stream::pending());
    let headers = [("content-type", "text/event-stream")];
    (headers, Body::from_stream(events)).into_response()
}

fn answer(id: u32) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": {}})
}

const HELLO: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize"}"#;

fn ping(id: u32) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": "ping"}).to_string()
}

#[tokio::test]
async fn the_relay_ends_before_the_server_answers() {
    for stops in [false, true] {
        let mut server = Server::start().await;
        let Fronted {
            mut client,
            relay,
            stop,
        } = server.fronted();
        client.send(HELLO).await;
        let unanswered = server.next().await;
        tokio::time::pause();
        let before = Instant::now();
        match stops {
            true => stop.cancel(),
            false => drop(client),
        }
        relay.await.unwrap();
        assert!(before.elapsed() < Duration::from_secs(10));
        tokio::time::resume();
        drop(unanswered);
    }
}

#[tokio::test]
async fn an_initialize_that_the_server_does_not_answer_has_an_error() {
    let mut server = Server::start().await;
    let mut client = server.fronted().client;
    client.send(HELLO).await;
    let unanswered = server.next().await;
    // The paused clock advances to the next limit whenever all tasks are idle.
    tokio::time::pause();
    let error = client.json().await;
    tokio::time::resume();
    assert_eq!(error["id"], 0);
    assert!(error.to_string().contains("60 s"), "{error}");
    client.send(ping(1)).await;
    server.answer("ping", body(&answer(1))).await;
    assert_eq!(client.json().await["id"], 1);
    drop(unanswered);
}

#[tokio::test]
async fn a_stream_that_stays_open_delays_nothing() {
    let mut server = Server::start().await;
    let mut client = server.fronted().client;
    client.send(HELLO).await;
    let stream = open_stream(Some(&answer(0)));
    server.answer("initialize", stream).await;
    assert_eq!(client.json().await["id"], 0);
    let initialized = "notifications/initialized";
    let note = json!({"jsonrpc": "2.0", "method": initialized});
    client.send(note.to_string()).await;
    server.answer(initialized, open_stream(None)).await;
    client.send(ping(1)).await;
    server.answer("ping", body(&answer(1))).await;
    assert_eq!(client.json().await["id"], 1);
}

#[tokio::test]
async fn a_batch_with_a_request_delays_nothing() {
    let mut server = Server::start().await;
    let mut client = server.fronted().client;
    client.send(format!("[{}]", ping(1))).await;
    let batch = server.next().await;
    assert!(batch.message.is_array(), "{}", batch.message);
    client.send(ping(2)).await;
    server.answer("ping", body(&answer(2))).await;
    assert_eq!(client.json().await["id"], 2);
    assert!(batch.answer.send(body(&json!([answer(1)]))).is_ok());
    assert_eq!(client.json().await[0]["id"], 1);
}
