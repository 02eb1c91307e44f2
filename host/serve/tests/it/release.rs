//! The release of sessions of other agents.

use std::time::Duration;

use portcullis::contract::{ExecutionPolicy, HookRole};
use portcullis::points::{PreToolCall, pre_tool_call};
use portcullis::{Hooks, NativeHook};
use portcullis_bridge::{Bridge, BridgeOptions};
use portcullis_serve::{Listening, ServeOptions};
use portcullis_store::Store;
use reqwest::{Client, Method};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::server::{Gate, Place, body, event, gate, start};

/// Returns a detached observer that holds `slow` until the gate opens.
fn observer(gate: &Gate) -> NativeHook {
    let gate = gate.clone();
    let late = NativeHook::new("late")
        .role(HookRole::Observe)
        .execution(ExecutionPolicy::Background);
    late.on_async::<PreToolCall>(move |call| {
        let gate = gate.clone();
        let name = call.subject.name.clone();
        Box::pin(async move {
            if name == "slow" {
                gate.0.add_permits(1);
                gate.1.acquire().await.expect("the gate").forget();
            }
            Ok(pre_tool_call::Outcome::Continue)
        })
    })
}

fn at_once() -> ServeOptions {
    ServeOptions {
        release: Some(Duration::from_millis(1)),
        ..ServeOptions::default()
    }
}

async fn open_sessions(client: &Client) -> Value {
    let health = client.get("http://localhost/health").send().await.unwrap();
    health.json::<Value>().await.unwrap()["sessions"].clone()
}

async fn ask(client: &Client, tool: &str, session: &str) {
    let mut event = event(tool);
    event["session_id"] = session.into();
    let request = client.post("http://localhost/v1/events/claude");
    let answered = request.body(event.to_string()).send().await.unwrap();
    assert_eq!(answered.status(), 200);
}

/// Waits until this number of sessions is open.
async fn until(client: &Client, open: u32) {
    while open_sessions(client).await != open {
        tokio::task::yield_now().await;
    }
}

/// Returns whether a process has a session open.
async fn is_held(store: &Store, session: &str) -> bool {
    let row = store.sessions().get(session).await.unwrap();
    row.is_some_and(|row| row.open_in.is_some())
}

#[tokio::test]
async fn a_session_with_a_detached_run_is_not_released() {
    let (place, gate, store) = (Place::new(), gate(), Store::temporary().unwrap());
    let listening = Listening::bind(vec![place.unix()]).await.unwrap();
    let hooks = Hooks::none().with([observer(&gate)]).unwrap();
    let options = BridgeOptions {
        store: Some(store.clone()),
        ..BridgeOptions::default()
    };
    let bridge = Bridge::new(hooks, options).unwrap();
    let stop = CancellationToken::new();
    let serving = listening.serve(bridge, &at_once(), stop.clone());
    let client = Client::builder().unix_socket(place.socket());
    let client = client.build().unwrap();
    ask(&client, "slow", "busy").await;
    gate.0.acquire().await.unwrap().forget();
    // The second session is released after all sessions were checked once.
    for other in ["first", "second"] {
        ask(&client, "read", other).await;
        while is_held(&store, other).await {
            tokio::task::yield_now().await;
        }
    }
    let is_kept = is_held(&store, "busy").await;
    gate.1.add_permits(1);
    assert!(is_kept);
    until(&client, 0).await;
    stop.cancel();
    assert_eq!(serving.ended().await.unwrap(), 0);
}

#[tokio::test]
async fn a_session_that_is_in_use_does_not_keep_others_from_being_released() {
    let server = start(at_once()).await;
    let client = Client::builder().unix_socket(server.place.socket());
    let client = client.build().unwrap();
    // The session has an event, and then a call that is no event.
    let call = server.request(Method::POST, "/v1/points/pre-tool-call");
    let call = call.bearer_auth(&server.token);
    let call = tokio::spawn(call.body(body("slow").to_string()).send());
    server.begun().await;
    ask(&client, "read", "s").await;
    for other in ["first", "second", "third"] {
        ask(&client, "read", other).await;
        until(&client, 1).await;
    }
    server.release();
    assert_eq!(call.await.unwrap().unwrap().status(), 200);
}
