//! Requests whose ids are used again, and the limit on open requests.

use std::collections::BTreeSet;
use std::sync::Arc;

use portcullis::NativeHook;
use portcullis::contract::HookRole;
use portcullis::points::{PostToolCall, post_tool_call};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use super::bytes::watches_all;
use super::calls::{call, result, tools};
use super::peers::Peers;

#[tokio::test]
async fn the_end_of_a_call_leaves_the_next_with_its_id() {
    let gate = Arc::new(Semaphore::new(0));
    let of_hook = gate.clone();
    let observes = NativeHook::new("observes")
        .role(HookRole::Observe)
        .on_async::<PostToolCall>(move |_| {
            let gate = of_hook.clone();
            Box::pin(async move {
                gate.acquire().await.unwrap().forget();
                Ok(post_tool_call::Outcome::Continue)
            })
        });
    let mut peers = Peers::new([observes]);
    peers.client.send(call(1, "t", &json!({}))).await;
    peers.server.json().await;
    peers.server.send(result(1, "first")).await;
    assert!(peers.client.line().await.unwrap().contains("first"));
    peers.client.send(call(1, "t", &json!({}))).await;
    assert_eq!(peers.server.json().await["id"], 1);
    gate.add_permits(1);
    // The relay runs on this thread, and ends the first call.
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    gate.add_permits(1);
    peers.server.send(result(1, "second")).await;
    drop(peers.server);
    assert!(peers.client.line().await.unwrap().contains("second"));
    assert_eq!(peers.client.line().await, None);
}

/// Returns a page with one tool, as the answer to the server's request for a list.
fn page(asked: &Value, tool: &str) -> String {
    assert_eq!(asked["method"], "tools/list", "{asked}");
    json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"tools": tools(&[tool])}}).to_string()
}

#[tokio::test]
async fn a_cancelled_list_has_no_answer_and_its_id_is_free() {
    let mut peers = Peers::new([watches_all()]);
    let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    peers.client.send(list).await;
    let first = peers.server.json().await;
    // Until the request is cancelled, its id is in use.
    peers.client.send(list).await;
    peers.client.send(r#"{"id":2,"method":"ping"}"#).await;
    assert_eq!(peers.server.json().await["method"], "ping");
    peers.server.send(r#"{"id":2,"result":{}}"#).await;
    let refused = peers.client.json().await;
    assert_eq!(
        (&refused["id"], &refused["error"]["code"]),
        (&json!(1), &json!(-32_600)),
        "{refused}"
    );
    assert_eq!(peers.client.json().await["id"], 2);
    let cancelled = r#"{"method":"notifications/cancelled","params":{"requestId":1}}"#;
    peers.client.send(cancelled).await;
    peers.client.send(list).await;
    // The server never received the request of the client.
    let second = peers.server.json().await;
    peers.server.send(page(&first, "late")).await;
    peers.server.send(page(&second, "t")).await;
    let answer = peers.client.json().await;
    assert_eq!(answer["id"], 1);
    assert_eq!(answer["result"]["tools"][0]["name"], "t", "{answer}");
    drop(peers.server);
    assert_eq!(peers.client.line().await, None);
}

#[tokio::test]
async fn too_many_lists_are_refused_and_each_has_one_answer() {
    const LISTS: usize = 1_100;
    let mut peers = Peers::new([watches_all()]);
    for id in 0..LISTS {
        let list = json!({"id": id, "method": "tools/list"});
        peers.client.send(list.to_string()).await;
    }
    // The error has no id, and arrives when all earlier messages have been read.
    peers.client.send("what?").await;
    let mut answered = BTreeSet::new();
    let mut answer = peers.client.json().await;
    while let Some(id) = answer["id"].as_u64() {
        assert!(answer.to_string().contains("too many requests"), "{answer}");
        assert!(answered.insert(id), "{answer}");
        answer = peers.client.json().await;
    }
    // The limit is 1,024, and one of the requests may be the proxy's.
    let accepted = LISTS - answered.len();
    assert!((1_023..=1_024).contains(&accepted), "{accepted}");
    drop(peers.server);
    while let Some(line) = peers.client.line().await {
        let answer: Value = serde_json::from_str(&line).unwrap();
        assert!(answered.insert(answer["id"].as_u64().unwrap()), "{answer}");
    }
    assert_eq!(answered.len(), LISTS);
}
