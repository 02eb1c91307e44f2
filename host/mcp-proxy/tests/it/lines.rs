//! A sent message is one line. On standard streams each line is a message, and hooks see only whole
//! messages.

use axum::Router;
use axum::routing::post;
use portcullis::NativeHook;
use portcullis::points::{PreToolCall, pre_tool_call};
use portcullis_agent::McpHttpConfig;
use portcullis_mcp_proxy::transport;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::bytes::watches_all;
use super::calls::{call, lists, tools};
use super::peers::{MOST, Peers, client_of};

/// A message inside another one.
const INNER: &str = r#"{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"delete"}}"#;

#[tokio::test]
async fn a_message_is_not_divided_at_a_carriage_return() {
    let mut peers = Peers::new([watches_all()]);
    let request = |id: u32, end: &str| {
        format!("{{\"id\":{id},\"method\":\"roots/list\",\"params\":{end}{INNER}{end}}}")
    };
    peers.client.send(request(1, "\r")).await;
    assert_eq!(peers.server.line().await.unwrap(), request(1, " "));
    peers.server.send(request(2, "\r")).await;
    assert_eq!(peers.client.line().await.unwrap(), request(2, " "));
}

#[tokio::test]
async fn arguments_of_a_hook_are_part_of_the_call() {
    for end in ["\n", "\r", "\r\n"] {
        let arguments = format!("{{\"x\":{end}{INNER}{end}}}");
        let hook = NativeHook::new("changes")
            .on::<PreToolCall>(move |_| Ok(pre_tool_call::Outcome::Transform(arguments.clone())));
        let mut peers = Peers::new([hook]);
        peers.client.send(call(1, "t", &json!({}))).await;
        lists(&mut peers.server, tools(&["t"])).await;
        let sent = peers.server.line().await.unwrap();
        assert!(!sent.contains('\r'), "{sent:?}");
        let sent: Value = serde_json::from_str(&sent).unwrap();
        assert_eq!(sent["id"], 1);
        assert_eq!(sent["params"]["arguments"]["x"]["id"], 9);
    }
}

/// Returns the address of a server that answers each message with this body.
async fn answers(kind: &'static str, body: String) -> String {
    let answer = move || async move { ([("content-type", kind)], body) };
    let router = Router::new().route("/mcp", post(answer));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}

#[tokio::test]
async fn what_a_server_sends_in_more_lines_is_one_message() {
    let head = r#"{"jsonrpc":"2.0","id":1,"result":"#;
    for (kind, body) in [
        (
            "text/event-stream",
            format!("data: {head}\ndata: {INNER}\ndata: }}\n\n"),
        ),
        ("application/json", format!("{head}\n{INNER}\r\n}}")),
    ] {
        let url = answers(kind, body).await;
        let server = transport::connect(&McpHttpConfig::new("s", url), MOST).unwrap();
        let mut client = client_of(server, [watches_all()]);
        client
            .send(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)
            .await;
        let answer = client.json().await;
        assert_eq!(answer["id"], 1, "{kind}: {answer}");
        assert_eq!(answer["result"]["id"], 9, "{kind}: {answer}");
    }
}
