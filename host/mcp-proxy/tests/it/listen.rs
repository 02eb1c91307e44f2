//! Clients over streamable HTTP.

mod bounds;
mod ends;

use portcullis::points::{PreToolCall, pre_tool_call};
use portcullis::{Hooks, NativeHook};
use portcullis_access::{ConnectionLimits, Token};
use portcullis_mcp_proxy::listen::{ListenError, ListenOptions, PATH, listen};
use portcullis_mcp_proxy::{HookOptions, relay, transport};
use reqwest::{Client, RequestBuilder, Response};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, duplex, split};
use tokio_util::sync::CancellationToken;

const TOKEN: &str = "0123456789abcdef";

fn options() -> ListenOptions {
    ListenOptions {
        address: "127.0.0.1:0".parse().unwrap(),
        token: Token::new(TOKEN).unwrap(),
        remote: false,
        most_bytes: 10_000,
        most_sessions: 2,
        limits: ConnectionLimits::default(),
    }
}

/// A server that answers each request. Before the answer to a tool call it reports progress and
/// sends the client a request.
async fn server(stream: tokio::io::DuplexStream) {
    let (reader, mut writer) = split(stream);
    let mut lines = BufReader::new(reader).lines();
    while let Some(line) = lines.next_line().await.unwrap() {
        let message: Value = serde_json::from_str(&line).unwrap();
        let Some(method) = message["method"].as_str() else {
            continue;
        };
        if method == "hang" {
            continue;
        }
        let mut said = Vec::new();
        let result = match method {
            "tools/list" => json!({"tools": [{"name": "t", "inputSchema": {"type": "object"}}]}),
            "tools/call" => {
                said.push(
                    json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {}}),
                );
                json!({"content": [{"type": "text", "text": "ran"}]})
            }
            _ => json!({"method": method}),
        };
        if message["id"] != Value::Null {
            said.push(json!({"jsonrpc": "2.0", "id": message["id"], "result": result}));
        }
        for message in said {
            writer
                .write_all(format!("{message}\r\n").as_bytes())
                .await
                .unwrap();
        }
    }
}

/// Returns the address of a proxy whose hook refuses the tool `no`. Each session has its own
/// server.
async fn proxy(stop: CancellationToken) -> String {
    let mut listener = listen(options(), stop.clone()).await.unwrap();
    let url = format!("http://{}{PATH}", listener.address);
    let hook = NativeHook::new("guard").on::<PreToolCall>(|call| {
        Ok(match call.views.tool_arguments.contains("bad") {
            false => pre_tool_call::Outcome::Continue,
            true => pre_tool_call::Outcome::Reject(super::calls::no()),
        })
    });
    let hooks = Hooks::none().with([hook]).unwrap();
    tokio::spawn(async move {
        while let Some(client) = listener.accepted.recv().await {
            let (own, to_server) = duplex(1 << 20);
            tokio::spawn(server(own));
            let (reader, writer) = split(to_server);
            let server = transport::over(reader, writer, 10_000);
            let (hooks, stop) = (hooks.clone(), stop.clone());
            tokio::spawn(async move {
                relay(client, server, &hooks, HookOptions::default(), stop).await
            });
        }
    });
    url
}

fn post(client: &Client, url: &str, session: Option<&str>, message: &Value) -> RequestBuilder {
    let request = client
        .post(url)
        .bearer_auth(TOKEN)
        .body(message.to_string());
    match session {
        Some(session) => request.header("mcp-session-id", session),
        None => request,
    }
}

fn request(id: u32, method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

/// Begins a session, and returns its id.
async fn begin(client: &Client, url: &str) -> String {
    let response = post(client, url, None, &request(1, "initialize", json!({})));
    let response = response.send().await.unwrap();
    assert_eq!(response.status(), 200);
    let id = response.headers()["mcp-session-id"]
        .to_str()
        .unwrap()
        .to_owned();
    let answers = messages(response).await;
    assert_eq!(answers[0]["result"]["method"], "initialize", "{answers:?}");
    id
}

/// Returns the messages of a stream that ends.
async fn messages(response: Response) -> Vec<Value> {
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let text = response.text().await.unwrap();
    let data = text.lines().filter_map(|line| line.strip_prefix("data: "));
    data.map(|data| serde_json::from_str(data).unwrap())
        .collect()
}

#[tokio::test]
async fn calls_pass_the_hooks_and_sessions_are_apart() {
    let stop = CancellationToken::new();
    let url = proxy(stop.clone()).await;
    let client = Client::new();
    let (first, second) = (begin(&client, &url).await, begin(&client, &url).await);
    for (session, path, text) in [(&first, "good", "ran"), (&second, "bad", "not this")] {
        let call = request(
            2,
            "tools/call",
            json!({"name": "t", "arguments": {"path": path}}),
        );
        let response = post(&client, &url, Some(session), &call)
            .send()
            .await
            .unwrap();
        let answers = messages(response).await;
        let answer = answers.last().unwrap();
        assert_eq!(answer["id"], 2, "{answers:?}");
        let given = answer["result"]["content"][0]["text"].as_str().unwrap();
        assert!(given.contains(text), "{answers:?}");
        // The server's own messages arrive on the call's stream if there is no other.
        assert_eq!(
            answers.len(),
            if path == "good" { 2 } else { 1 },
            "{answers:?}"
        );
    }
    let note = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let noted = post(&client, &url, Some(&first), &note)
        .send()
        .await
        .unwrap();
    assert_eq!(noted.status(), 202);

    let ended = client
        .delete(&url)
        .bearer_auth(TOKEN)
        .header("mcp-session-id", &first);
    assert_eq!(ended.send().await.unwrap().status(), 204);
    let gone = post(&client, &url, Some(&first), &note)
        .send()
        .await
        .unwrap();
    assert_eq!(gone.status(), 404);
    stop.cancel();
}

#[tokio::test]
async fn a_body_of_more_lines_is_one_message() {
    let stop = CancellationToken::new();
    let url = proxy(stop.clone()).await;
    let client = Client::new();
    let session = begin(&client, &url).await;
    let inner = request(
        3,
        "tools/call",
        json!({"name": "t", "arguments": {"path": "bad"}}),
    );
    let outer = format!("{{\"id\":2,\"method\":\"ping\",\"params\":\n{inner}\r\n}}");
    let sent = post(&client, &url, Some(&session), &Value::Null).body(outer);
    let answers = messages(sent.send().await.unwrap()).await;
    let pinged = json!({"jsonrpc": "2.0", "id": 2, "result": {"method": "ping"}});
    assert_eq!(answers, [pinged]);
    stop.cancel();
}

#[tokio::test]
async fn what_is_not_let_in_reaches_no_server() {
    let stop = CancellationToken::new();
    let url = proxy(stop.clone()).await;
    let client = Client::new();
    let hello = request(1, "initialize", json!({}));
    let ping = request(1, "ping", json!({}));
    let large = request(1, "initialize", json!({"x": "x".repeat(20_000)}));
    let batch = json!([hello]);
    for (request, status) in [
        (client.post(&url).body(hello.to_string()), 401),
        (
            client
                .post(&url)
                .bearer_auth("0123456789abcdee")
                .body(hello.to_string()),
            401,
        ),
        (
            post(&client, &url, None, &hello).header("origin", "https://evil.example"),
            403,
        ),
        (
            post(&client, &url, None, &hello).header("host", "evil.example"),
            403,
        ),
        (post(&client, &url, None, &large), 413),
        (post(&client, &url, None, &batch), 400),
        (post(&client, &url, None, &ping), 400),
        (post(&client, &url, None, &json!("x")), 400),
        (post(&client, &url, Some("nobody"), &ping), 404),
        (client.get(&url).bearer_auth(TOKEN), 404),
    ] {
        assert_eq!(request.send().await.unwrap().status().as_u16(), status);
    }
    stop.cancel();
}

#[tokio::test]
async fn one_session_too_many_ends_the_one_that_was_not_used() {
    let stop = CancellationToken::new();
    let url = proxy(stop.clone()).await;
    let client = Client::new();
    let first = begin(&client, &url).await;
    let second = begin(&client, &url).await;
    begin(&client, &url).await;
    let ping = request(2, "ping", json!({}));
    for (session, status) in [(first, 404), (second, 200)] {
        let response = post(&client, &url, Some(&session), &ping)
            .send()
            .await
            .unwrap();
        assert_eq!(response.status().as_u16(), status);
    }
    stop.cancel();
}

#[tokio::test]
async fn the_servers_own_messages_have_a_stream() {
    let stop = CancellationToken::new();
    let url = proxy(stop.clone()).await;
    let client = Client::new();
    let session = begin(&client, &url).await;
    let open = || {
        client
            .get(&url)
            .bearer_auth(TOKEN)
            .header("mcp-session-id", &session)
    };
    let mut stream = open().send().await.unwrap();
    assert_eq!(stream.status(), 200);
    assert_eq!(open().send().await.unwrap().status(), 409);
    let call = request(2, "tools/call", json!({"name": "t", "arguments": {}}));
    let response = post(&client, &url, Some(&session), &call)
        .send()
        .await
        .unwrap();
    assert_eq!(messages(response).await.len(), 1);
    let mut text = String::new();
    while !text.contains("notifications/message") {
        let chunk = stream.chunk().await.unwrap().expect("a message");
        text.push_str(std::str::from_utf8(&chunk).unwrap());
    }
    stop.cancel();
}

#[tokio::test]
async fn addresses_that_others_reach_are_refused() {
    let remote = ListenOptions {
        address: "0.0.0.0:0".parse().unwrap(),
        ..options()
    };
    let refused = listen(remote, CancellationToken::new()).await;
    assert!(
        matches!(refused, Err(ListenError::Remote(_))),
        "{refused:?}"
    );
}
