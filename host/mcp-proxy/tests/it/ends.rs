//! The end of a relay, and the calls that are open then.

use std::sync::{Arc, Mutex};

use portcullis::NativeHook;
use portcullis::contract::Rejection;
use portcullis::points::{SessionEnd, SessionStart, session_end, session_start};
use portcullis_mcp_proxy::RelayEnd;
use serde_json::json;

use super::bytes::watches_all;
use super::peers::Peers;

#[tokio::test]
async fn requests_have_an_error_when_the_server_ends() {
    let mut peers = Peers::new([watches_all()]);
    peers.client.send(r#"{"id":1,"method":"ping"}"#).await;
    peers
        .client
        .send(r#"{"id":2,"method":"tools/call","params":{"name":"t"}}"#)
        .await;
    peers.server.line().await;
    let list = peers.server.json().await;
    let tools = json!([{"name": "t", "inputSchema": {}}]);
    peers
        .server
        .send(json!({"id": list["id"], "result": {"tools": tools}}).to_string())
        .await;
    assert_eq!(peers.server.json().await["id"], 2);
    // The third call waits for the list.
    let changed = r#"{"method":"notifications/tools/list_changed"}"#;
    peers.server.send(changed).await;
    assert_eq!(peers.client.line().await.unwrap(), changed);
    peers
        .client
        .send(r#"{"id":3,"method":"tools/call","params":{"name":"t"}}"#)
        .await;
    assert_eq!(peers.server.json().await["method"], "tools/list");
    drop(peers.server);
    let mut ended = Vec::new();
    for _ in 0..3 {
        let answer = peers.client.json().await;
        assert!(
            answer.get("error").is_some() || answer["result"]["isError"] == true,
            "{answer}"
        );
        ended.push(answer["id"].as_u64().unwrap());
    }
    ended.sort();
    assert_eq!(ended, [1, 2, 3]);
    assert_eq!(peers.client.line().await, None);
    assert_eq!(peers.relay.await.unwrap(), RelayEnd::Server);
}

#[tokio::test]
async fn the_session_starts_and_ends_once() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let (starts, ends) = (seen.clone(), seen.clone());
    let hook = NativeHook::new("sees")
        .on::<SessionStart>(move |_| {
            starts.lock().unwrap().push("start");
            Ok(session_start::Outcome::Continue)
        })
        .on::<SessionEnd>(move |_| {
            ends.lock().unwrap().push("end");
            Ok(session_end::Outcome::Continue)
        });
    let mut peers = Peers::new([hook]);
    for id in 1..3 {
        peers
            .client
            .send(json!({"id": id, "method": "initialize"}).to_string())
            .await;
        peers.server.line().await;
    }
    drop(peers.client);
    // First the server's input ends, and then the server.
    assert_eq!(peers.server.line().await, None);
    drop(peers.server);
    assert_eq!(peers.relay.await.unwrap(), RelayEnd::Client);
    assert_eq!(*seen.lock().unwrap(), ["start", "end"]);
}

#[tokio::test]
async fn a_refused_session_answers_nothing_else() {
    let guard = NativeHook::new("guard").on::<SessionStart>(|_| {
        Ok(session_start::Outcome::Reject(Rejection {
            code: "no".into(),
            reason: "not here".into(),
            details: None,
        }))
    });
    let mut peers = Peers::new([guard]);
    for line in [
        r#"{"id":1,"method":"initialize"}"#,
        r#"{"id":1,"method":"tools/call","params":{"name":"t"}}"#,
        r#"[{"id":1,"method":"resources/list"}]"#,
    ] {
        peers.client.send(line).await;
        let answer = peers.client.line().await.unwrap();
        assert!(
            answer.contains("not here") && answer.contains("\"error\""),
            "{answer}"
        );
    }
    for line in [
        r#"{"method":"notifications/initialized"}"#,
        r#"[{"method":"notifications/initialized"}]"#,
        r#"{"method":"tools/call","params":{"name":"t"}}"#,
        r#"{"id":1,"result":{"roots":[]}}"#,
    ] {
        peers.client.send(line).await;
    }
    // They have been read once a later message is answered.
    peers.client.send(r#"{"id":2,"method":"ping"}"#).await;
    peers.client.line().await.unwrap();
    peers.stop.cancel();
    // The server received nothing.
    assert_eq!(peers.server.line().await, None);
}

/// The relay waits for a call whose hooks are running, even if the server has ended too.
#[tokio::test]
async fn the_session_ends_if_client_and_server_are_gone() {
    let seen = Arc::new(Mutex::new(0));
    let ends = seen.clone();
    let hook = watches_all().on::<SessionEnd>(move |_| {
        *ends.lock().unwrap() += 1;
        Ok(session_end::Outcome::Continue)
    });
    let mut peers = Peers::new([hook]);
    peers
        .client
        .send(r#"{"id":1,"method":"tools/call","params":{"name":"t"}}"#)
        .await;
    assert_eq!(peers.server.json().await["method"], "tools/list");
    drop(peers.client);
    // The relay runs on this thread, and reads the end of the client's messages.
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    drop(peers.server);
    assert_eq!(peers.relay.await.unwrap(), RelayEnd::Client);
    assert_eq!(*seen.lock().unwrap(), 1);
}
