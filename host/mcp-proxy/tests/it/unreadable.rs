//! Unreadable messages are answered and not passed on.

use serde_json::json;

use super::bytes::watches_all;
use super::peers::{MOST, Peers};

#[tokio::test]
async fn an_unreadable_message_of_the_client_is_answered() {
    let mut peers = Peers::new([watches_all()]);
    let long = format!(
        r#"{{"method":"tools/call","params":{{"x":"{}"}},"id":"last"}}"#,
        "y".repeat(MOST)
    );
    for (line, id, code) in [
        (
            &br#"{"id":1,"method":"tools/call","method":"ping"}"#[..],
            json!(1),
            -32_600,
        ),
        (
            br#"{"id":2,"method":"ping","params":NaN}"#,
            json!(2),
            -32_700,
        ),
        (
            b"{\"id\":3,\"method\":\"ping\",\"x\":\"\xff\"}",
            json!(3),
            -32_600,
        ),
        (b"what?", json!(null), -32_700),
        (long.as_bytes(), json!("last"), -32_600),
        (
            br#"{"id":4,"method":"tools/call","params":[]}"#,
            json!(4),
            -32_602,
        ),
        (
            br#"{"id":5,"method":"tools/call","params":{"name":"t","arguments":[]}}"#,
            json!(5),
            -32_602,
        ),
        (
            br#"{"id":6,"method":"tools/call","params":{"name":"t","name":"u"}}"#,
            json!(6),
            -32_602,
        ),
        // A guard sees one path, and the server may read the other.
        (
            br#"{"id":8,"method":"tools/call","params":{"name":"t","arguments":{"path":"/etc/passwd","path":"notes.txt"}}}"#,
            json!(8),
            -32_602,
        ),
        (
            br#"{"id":9,"method":"tools/call","params":{"name":"t","arguments":{"x":[{"path":1,"p\u0061th":2}]}}}"#,
            json!(9),
            -32_602,
        ),
    ] {
        peers.client.send(line).await;
        let answer = peers.client.json().await;
        assert_eq!(
            (&answer["id"], &answer["error"]["code"]),
            (&id, &json!(code)),
            "{answer}"
        );
    }
    peers.client.send(r#"{"id":7,"method":"ping"}"#).await;
    assert_eq!(peers.server.json().await["id"], 7);
}

#[tokio::test]
async fn an_unreadable_answer_of_the_server_ends_the_request() {
    let mut peers = Peers::new([watches_all()]);
    let long = format!(r#"{{"result":{{"x":"{}"}},"id":1}}"#, "y".repeat(MOST));
    for line in [
        long.as_bytes(),
        br#"{"id":1,"result":{"content":[]},"result":{"content":[{"type":"text","text":"1234"}]}}"#,
        br#"{"id":1,"result":{"content":[],"Content":[{"type":"text","text":"1234"}]}}"#,
        br#"{"id":1,"result":{"content":[{"type":"text","text":"1234"}],"x":NaN}}"#,
        b"{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"1234\xff\"}]}}",
        br#"{"id":1,"result":{"content":[{"type":"text","text":1234}]}}"#,
        br#"{"id":1,"result":{"content":[],"structuredContent":{"key":"1234","key":"none"}}}"#,
        br#"{"id":1,"result":{"content":[],"structuredContent":{"a":[{"key":"1234","key":"none"}]}}}"#,
        br#"{"id":1,"result":{"structuredContent":{"$serde_json::private::RawValue":"{\"key\":\"1234\",\"key\":\"none\"}"}}}"#,
        br#"{"id":1,"error":{"code":1,"message":"m","data":{"key":"1234","key":"none"}}}"#,
    ] {
        peers
            .client
            .send(r#"{"id":1,"method":"tools/call","params":{"name":"t"}}"#)
            .await;
        loop {
            let sent = peers.server.json().await;
            if sent["method"] == "tools/call" {
                break;
            }
            let list =
                json!({"id": sent["id"], "result": {"tools": [{"name": "t", "inputSchema": {}}]}});
            peers.server.send(list.to_string()).await;
        }
        peers.server.send(line).await;
        let answer = peers.client.json().await;
        assert_eq!(
            (&answer["id"], &answer["error"]["code"]),
            (&json!(1), &json!(-32_603)),
            "{answer}"
        );
        assert!(!answer.to_string().contains("1234"), "{answer}");
    }
    // A request of the server that cannot be read is also answered.
    peers
        .server
        .send(r#"{"id":8,"method":"roots/list","method":"x"}"#)
        .await;
    assert_eq!(peers.server.json().await["id"], 8);
}

#[tokio::test]
async fn a_batch_with_a_call_is_answered_as_one() {
    let mut peers = Peers::new([watches_all()]);
    peers.client.send(r#"[{"id":1,"method":"ping"},{"id":2,"method":"tools/call","params":{"name":"t"}},{"method":"notifications/n"}]"#).await;
    let mut methods = Vec::new();
    for _ in 0..4 {
        let sent = peers.server.json().await;
        if sent["id"].is_null() {
            methods.push(sent["method"].clone());
            continue;
        }
        let result = match sent["method"].as_str() {
            Some("tools/list") => json!({"tools": [{"name": "t", "inputSchema": {}}]}),
            _ => json!({"content": []}),
        };
        peers
            .server
            .send(json!({"id": sent["id"], "result": result}).to_string())
            .await;
        methods.push(sent["method"].clone());
    }
    assert!(
        methods.contains(&json!("notifications/n")) && methods.contains(&json!("ping")),
        "{methods:?}"
    );
    let answers = peers.client.json().await;
    let mut ids: Vec<u64> = answers
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["id"].as_u64().unwrap())
        .collect();
    ids.sort();
    assert_eq!(ids, [1, 2]);
}
