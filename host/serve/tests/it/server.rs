//! A server with a native hook.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use portcullis::contract::{AskRequest, Rejection};
use portcullis::points::{PreToolCall, pre_tool_call};
use portcullis::{Hooks, NativeHook};
use portcullis_bridge::{Bridge, BridgeOptions};
use portcullis_serve::{DaemonId, Listen, Listening, ServeOptions, Serving};
use reqwest::{Client, Method, RequestBuilder, Response};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

/// Two semaphores for calls of `slow`: a permit of the first means that a call has begun, one of the second lets it
/// end.
pub type Gate = Arc<(Semaphore, Semaphore)>;

/// Returns a hook that refuses `delete`, asks about `send`, and holds `slow` until the gate opens.
fn guard(gate: &Gate) -> NativeHook {
    let gate = gate.clone();
    NativeHook::new("guard").on_async::<PreToolCall>(move |call| {
        let gate = gate.clone();
        let name = call.subject.name.clone();
        Box::pin(async move {
            Ok(match name.as_str() {
                "delete" => pre_tool_call::Outcome::Reject(Rejection {
                    code: "no".into(),
                    reason: "not this".into(),
                    details: None,
                }),
                "send" => pre_tool_call::Outcome::Ask(AskRequest {
                    question: "May it?".into(),
                    details: None,
                }),
                "slow" => {
                    gate.0.add_permits(1);
                    gate.1.acquire().await.expect("the gate").forget();
                    pre_tool_call::Outcome::Continue
                }
                _ => pre_tool_call::Outcome::Continue,
            })
        })
    })
}

/// Returns a bridge whose calls of `slow` wait at this gate.
pub fn bridge(gate: &Gate) -> Bridge {
    let hooks = Hooks::none().with([guard(gate)]).expect("the hook");
    Bridge::new(hooks, BridgeOptions::default()).expect("a bridge")
}

pub fn gate() -> Gate {
    Arc::new((Semaphore::new(0), Semaphore::new(0)))
}

/// A directory for sockets, and the daemon that listens there.
pub struct Place {
    pub temp: TempDir,
    pub dir: PathBuf,
    pub daemon: DaemonId,
}

impl Place {
    pub fn new() -> Self {
        let temp = tempfile::tempdir().expect("a directory");
        let daemon = DaemonId::new(temp.path(), temp.path(), &[]).expect("a daemon");
        let dir = temp.path().join("run");
        Self { temp, dir, daemon }
    }

    pub fn socket(&self) -> PathBuf {
        self.daemon.socket(&self.dir)
    }

    pub fn unix(&self) -> Listen {
        Listen::Unix(self.daemon.clone(), self.dir.clone())
    }

    pub fn tcp(&self, address: &str, remote: bool) -> Listen {
        Listen::Tcp {
            address: address.parse().expect("an address"),
            token: self.daemon.token(&self.dir),
            remote,
        }
    }
}

pub struct Server {
    pub serving: Serving,
    pub stop: CancellationToken,
    pub gate: Gate,
    pub client: Client,
    pub address: SocketAddr,
    pub token: String,
    pub place: Place,
}

pub async fn start(options: ServeOptions) -> Server {
    let gate = gate();
    let bridge = bridge(&gate);
    started(gate, bridge, options).await
}

/// Starts a server with this bridge.
pub async fn start_with(bridge: Bridge, options: ServeOptions) -> Server {
    started(gate(), bridge, options).await
}

async fn started(gate: Gate, bridge: Bridge, options: ServeOptions) -> Server {
    let place = Place::new();
    let places = vec![place.unix(), place.tcp("127.0.0.1:0", false)];
    let listening = Listening::bind(places).await.expect("the sockets");
    let address = listening.addresses()[0];
    let stop = CancellationToken::new();
    let token = std::fs::read_to_string(place.daemon.token(&place.dir)).expect("the token");
    Server {
        serving: listening.serve(bridge, &options, stop.clone()),
        stop,
        gate,
        client: Client::builder().build().expect("a client"),
        address,
        token,
        place,
    }
}

/// Returns the body of a call of a tool.
pub fn body(tool: &str) -> Value {
    json!({
        "context": {"session-id": "s", "agent": "a", "turn": 1, "step": 1},
        "input": {
            "call-id": "c", "name": tool, "arguments-bytes": 2,
            "grant": {"working-dir": null, "timeout-ms": 1000},
        },
        "views": {"tool-data": {"input": "{}"}},
    })
}

/// Returns an event of Claude Code: a call of a tool.
pub fn event(tool: &str) -> Value {
    json!({
        "session_id": "e", "cwd": "/work", "hook_event_name": "PreToolUse", "tool_name": tool,
        "tool_input": {"factor": 0.1}, "tool_use_id": "1",
    })
}

impl Server {
    /// Returns a request without a token.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client
            .request(method, format!("http://{}{path}", self.address))
    }

    pub async fn get(&self, path: &str) -> (u16, Value) {
        let request = self.request(Method::GET, path).bearer_auth(&self.token);
        reply(request.send().await.expect("a response")).await
    }

    pub async fn post(&self, path: &str, body: impl Into<String>) -> (u16, Value) {
        let request = self.request(Method::POST, path).bearer_auth(&self.token);
        reply(request.body(body.into()).send().await.expect("a response")).await
    }

    pub async fn call(&self, tool: &str) -> (u16, Value) {
        self.post("/v1/points/pre-tool-call", body(tool).to_string())
            .await
    }

    /// Waits until a call of `slow` has begun.
    pub async fn begun(&self) {
        self.gate.0.acquire().await.expect("the gate").forget();
    }

    /// Lets a call of `slow` end.
    pub fn release(&self) {
        self.gate.1.add_permits(1);
    }
}

/// Returns the status, and the body as JSON or as text.
pub async fn reply(response: Response) -> (u16, Value) {
    let status = response.status().as_u16();
    let text = response.text().await.expect("a body");
    (
        status,
        serde_json::from_str(&text).unwrap_or(Value::from(text)),
    )
}
