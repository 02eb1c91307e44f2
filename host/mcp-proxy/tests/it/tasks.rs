//! Calls whose results arrive later, and results that the server does not call results.

use std::sync::{Arc, Mutex};

use portcullis::NativeHook;
use portcullis::points::{PostToolCall, post_tool_call};
use serde_json::{Value, json};

use super::calls::{call, no};
use super::peers::Peers;

/// Returns a hook that withholds all results, and the tools whose results it saw.
fn withholds() -> (NativeHook, Arc<Mutex<Vec<String>>>) {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let keeps = seen.clone();
    let hook = NativeHook::new("sees").on::<PostToolCall>(move |call| {
        keeps.lock().unwrap().push(call.subject.name.clone());
        Ok(post_tool_call::Outcome::Reject(no()))
    });
    (hook, seen)
}

/// Returns a call of a client whose protocol version has types of results.
fn typed_call(id: u32, tool: &str) -> String {
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28"});
    let params = json!({"name": tool, "arguments": {}, "_meta": meta});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string()
}

/// Returns content that the client must not see.
fn secret() -> Value {
    json!([{"type": "text", "text": "1234"}])
}

/// Sends a call, answers it with this result as the server, and returns the client's answer.
async fn answered(peers: &mut Peers, call: String, id: u32, result: &Value) -> String {
    peers.client.send(call).await;
    assert_eq!(peers.server.json().await["id"], id);
    let answer = json!({"jsonrpc": "2.0", "id": id, "result": result});
    peers.server.send(answer.to_string()).await;
    peers.client.line().await.unwrap()
}

fn about_task(id: u32, method: &str, task: &str) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": {"taskId": task}}).to_string()
}

#[tokio::test]
async fn the_result_of_a_task_is_checked() {
    let (hook, seen) = withholds();
    let mut peers = Peers::new([hook]);
    let untyped = json!({"task": {"taskId": "a", "status": "working"}});
    let typed = json!({"resultType": "task", "taskId": "b", "status": "working"});
    for (id, call, created, task, method, state) in [
        (
            10,
            call(10, "t", &json!({})),
            &untyped,
            "a",
            "tasks/result",
            json!({"content": secret()}),
        ),
        (
            20,
            call(20, "t", &json!({})),
            &untyped,
            "a",
            "tasks/result",
            json!({"structuredContent": {"key": "1234"}}),
        ),
        (
            30,
            typed_call(30, "t"),
            &typed,
            "b",
            "tasks/get",
            json!({"taskId": "b", "status": "completed", "result": {"content": secret()}}),
        ),
    ] {
        let given = answered(&mut peers, call, id, created).await;
        let given: Value = serde_json::from_str(&given).unwrap();
        assert_eq!(given["result"], *created);
        let asks = about_task(id + 1, method, task);
        let answer = answered(&mut peers, asks, id + 1, &state).await;
        assert!(
            answer.contains("withholds") && !answer.contains("1234"),
            "{answer}"
        );
        peers
            .client
            .send(about_task(id + 2, method, "unknown"))
            .await;
        let answer = peers.client.json().await;
        let why = answer["error"]["message"].as_str().unwrap_or_default();
        assert!(why.contains("not started"), "{answer}");
    }
    assert_eq!(*seen.lock().unwrap(), ["t", "t", "t"]);
}

#[tokio::test]
async fn the_error_of_a_task_is_checked() {
    let (hook, seen) = withholds();
    let mut peers = Peers::new([hook]);
    let created = json!({"task": {"taskId": "a", "status": "working"}});
    answered(&mut peers, call(1, "t", &json!({})), 1, &created).await;
    peers.client.send(about_task(2, "tasks/result", "a")).await;
    peers.server.json().await;
    let error = json!({"code": 1, "message": "1234"});
    let answer = json!({"jsonrpc": "2.0", "id": 2, "error": error});
    peers.server.send(answer.to_string()).await;
    let answer = peers.client.line().await.unwrap();
    assert!(!answer.contains("1234"), "{answer}");
    assert_eq!(*seen.lock().unwrap(), ["t"]);
}

#[tokio::test]
async fn a_state_with_more_than_one_result_is_not_passed_on() {
    let (hook, seen) = withholds();
    let mut peers = Peers::new([hook]);
    let created = json!({"task": {"taskId": "a", "status": "working"}});
    answered(&mut peers, call(1, "t", &json!({})), 1, &created).await;
    let error = json!({"code": 1, "message": "1234"});
    for (id, state) in [
        (2, json!({"content": [], "result": {"content": secret()}})),
        (
            3,
            json!({"structuredContent": {}, "result": {"content": secret()}}),
        ),
        (4, json!({"content": [], "error": error})),
        (5, json!({"result": {"content": []}, "error": error})),
    ] {
        let asks = about_task(id, "tasks/get", "a");
        let answer = answered(&mut peers, asks, id, &state).await;
        assert!(
            answer.contains("more than one result") && !answer.contains("1234"),
            "{answer}"
        );
    }
    assert!(seen.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_result_with_content_is_checked_whatever_type_it_has() {
    let (hook, _) = withholds();
    let mut peers = Peers::new([hook]);
    let mut id = 0;
    for result in [
        json!({"resultType": "input_required", "content": secret()}),
        json!({"resultType": "input_required", "structuredContent": {"key": "1234"}}),
        json!({"resultType": "task", "taskId": "a", "content": secret()}),
        json!({"task": {"taskId": "a"}, "structuredContent": {"key": "1234"}}),
    ] {
        for typed in [false, true] {
            id += 1;
            let call = match typed {
                true => typed_call(id, "t"),
                false => call(id, "t", &json!({})),
            };
            let answer = answered(&mut peers, call, id, &result).await;
            assert!(
                answer.contains("withholds") && !answer.contains("1234"),
                "{answer}"
            );
        }
    }
    // Only a version with types has incomplete results.
    let asks = json!({"resultType": "input_required", "requestState": "s"});
    let answer = answered(&mut peers, typed_call(50, "t"), 50, &asks).await;
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["result"], asks);
    let answer = answered(&mut peers, call(51, "t", &json!({})), 51, &asks).await;
    assert!(answer.contains("withholds"), "{answer}");
}

#[tokio::test]
async fn a_notification_gives_no_result_that_hooks_have_not_seen() {
    let (hook, _) = withholds();
    let mut peers = Peers::new([hook]);
    let notice = |params: Value| {
        json!({"jsonrpc": "2.0", "method": "notifications/tasks/status", "params": params})
            .to_string()
    };
    let result = json!({"content": secret()});
    for params in [
        json!({"taskId": "unknown", "result": result}),
        json!({"taskId": "unknown", "content": secret()}),
        json!({"taskId": "unknown", "structuredContent": {"key": "1234"}}),
        json!({"taskId": "unknown", "error": {"code": 1, "message": "1234"}}),
        json!({"result": result}),
    ] {
        peers.server.send(notice(params)).await;
    }
    // The client's next message is the server's next message, so nothing was sent before.
    let state = notice(json!({"taskId": "unknown", "status": "working"}));
    peers.server.send(&state).await;
    assert_eq!(peers.client.line().await.unwrap(), state);

    let created = json!({"task": {"taskId": "a", "status": "working"}});
    answered(&mut peers, call(1, "t", &json!({})), 1, &created).await;
    let params = json!({"taskId": "a", "status": "completed", "result": result});
    peers.server.send(notice(params)).await;
    let given = peers.client.line().await.unwrap();
    assert!(
        given.contains("withholds") && !given.contains("1234"),
        "{given}"
    );
}

#[tokio::test]
async fn the_oldest_task_is_forgotten_and_no_call_fails() {
    let (hook, _) = withholds();
    let mut peers = Peers::new([hook]);
    let most = 1_024;
    for id in 0..=most {
        let created = json!({"task": {"taskId": id.to_string(), "status": "working"}});
        let given = answered(&mut peers, call(id, "t", &json!({})), id, &created).await;
        let given: Value = serde_json::from_str(&given).unwrap();
        assert_eq!(given["result"], created);
    }
    let forgotten = about_task(most + 1, "tasks/result", "0");
    peers.client.send(forgotten).await;
    let answer = peers.client.json().await;
    let why = answer["error"]["message"].as_str().unwrap_or_default();
    assert!(why.contains("not started"), "{answer}");
    for (id, task) in [(most + 2, "1"), (most + 3, "1024")] {
        let asks = about_task(id, "tasks/result", task);
        let result = json!({"content": secret()});
        let answer = answered(&mut peers, asks, id, &result).await;
        assert!(answer.contains("withholds"), "{answer}");
    }
}
