//! The ends of requests and sessions.

use portcullis_mcp_proxy::listen::{PATH, listen};
use reqwest::Client;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::{TOKEN, begin, messages, options, post, proxy, request};

#[tokio::test]
async fn a_cancelled_request_does_not_keep_its_session() {
    let stop = CancellationToken::new();
    let url = proxy(stop.clone()).await;
    let client = Client::new();
    let first = begin(&client, &url).await;
    let hanging = post(&client, &url, Some(&first), &request(2, "hang", json!({})));
    let hanging = hanging.send().await.unwrap();
    let cancel = json!({
        "jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2},
    });
    let cancelled = post(&client, &url, Some(&first), &cancel);
    assert_eq!(cancelled.send().await.unwrap().status(), 202);
    // The id is free again, and the session may be replaced by another.
    let again = post(&client, &url, Some(&first), &request(2, "ping", json!({})));
    assert_eq!(messages(again.send().await.unwrap()).await.len(), 1);
    assert!(messages(hanging).await.is_empty());
    let second = begin(&client, &url).await;
    begin(&client, &url).await;
    let ping = request(3, "ping", json!({}));
    for (session, status) in [(first, 404), (second, 200)] {
        let response = post(&client, &url, Some(&session), &ping);
        assert_eq!(response.send().await.unwrap().status().as_u16(), status);
    }
    stop.cancel();
}

#[tokio::test]
async fn what_is_open_is_answered_when_the_proxy_is_stopped() {
    let stop = CancellationToken::new();
    let url = proxy(stop.clone()).await;
    let client = Client::new();
    let session = begin(&client, &url).await;
    let hanging = post(
        &client,
        &url,
        Some(&session),
        &request(2, "hang", json!({})),
    );
    let hanging = hanging.send().await.unwrap();
    // The server has the message once it has answered a later one.
    let ping = post(
        &client,
        &url,
        Some(&session),
        &request(3, "ping", json!({})),
    );
    assert_eq!(messages(ping.send().await.unwrap()).await.len(), 1);
    stop.cancel();
    let answers = messages(hanging).await;
    assert_eq!(answers.len(), 1, "{answers:?}");
    assert_eq!(answers[0]["id"], 2, "{answers:?}");
    assert!(answers[0]["error"].is_object(), "{answers:?}");
}

#[tokio::test]
async fn a_client_that_does_not_read_ends_with_its_session_or_its_relay() {
    for deletes in [true, false] {
        let stop = CancellationToken::new();
        let mut listener = listen(options(), stop.clone()).await.unwrap();
        let url = format!("http://{}{PATH}", listener.address);
        let client = Client::new();
        let hello = request(1, "initialize", json!({}));
        let (unread, relay) = tokio::join!(
            post(&client, &url, None, &hello).send(),
            listener.accepted.recv()
        );
        let (unread, mut relay) = (unread.unwrap(), relay.unwrap());
        let note =
            json!({"jsonrpc": "2.0", "method": "note", "params": {"x": "x".repeat(1 << 20)}});
        // This is more than a response can hold.
        let outgoing = relay.outgoing.clone();
        let sends = tokio::spawn(async move {
            for _ in 0..200 {
                outgoing.send(note.to_string()).await.unwrap();
            }
        });
        if deletes {
            let ended = client
                .delete(&url)
                .bearer_auth(TOKEN)
                .header("mcp-session-id", &unread.headers()["mcp-session-id"]);
            assert_eq!(ended.send().await.unwrap().status(), 204);
            while relay.incoming.recv().await.is_some() {}
        } else {
            relay.ending.cancel();
        }
        sends.await.unwrap();
        relay.closing.cancel();
        relay.ended.await.unwrap();
        drop(unread);
        stop.cancel();
    }
}

#[tokio::test]
async fn what_a_stream_did_not_send_goes_by_the_next() {
    let stop = CancellationToken::new();
    let mut listener = listen(options(), stop.clone()).await.unwrap();
    let url = format!("http://{}{PATH}", listener.address);
    let client = Client::new();
    let hello = request(1, "initialize", json!({}));
    let begun = post(&client, &url, None, &hello).send();
    let (begun, relay) = tokio::join!(begun, listener.accepted.recv());
    let (begun, relay) = (begun.unwrap(), relay.unwrap());
    let session = begun.headers()["mcp-session-id"].clone();
    let large = "x".repeat(4 << 20);
    for number in 0..5 {
        let note = json!({"jsonrpc": "2.0", "method": "note", "params": {"n": number, "x": large}});
        relay.outgoing.send(note.to_string()).await.unwrap();
    }
    // The client of the first stream disconnects without having read.
    drop(begun);
    let open = client.get(&url).bearer_auth(TOKEN);
    let stream = open.header("mcp-session-id", session).send().await.unwrap();
    relay.closing.cancel();
    let sent = messages(stream).await;
    let numbers: Vec<_> = sent
        .iter()
        .map(|note| note["params"]["n"].clone())
        .collect();
    assert!(
        numbers.len() >= 2 && numbers.ends_with(&[json!(3), json!(4)]),
        "{numbers:?}"
    );
    stop.cancel();
}
