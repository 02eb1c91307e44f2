//! The API provider with a server that speaks OpenAI's chat completions.

use std::time::Duration;

use portcullis::contract::{
    ContentPart, Image, ImageSource, Message, Role, StopReason, ToolCall, ToolResult, Usage,
};
use portcullis::points::llm_error::ProviderErrorKind as Kind;
use portcullis_agent::{
    ApiConfig, ApiConfigError, ApiKey, ApiKind, ApiProvider, LlmRequest, NoDeltas, Provider,
    ProviderError,
};
use serde_json::{Value, json};

use crate::api_server::{Pieces, Reply, Server, request};
use crate::support::text;

fn provider(server: &Server, stream: bool) -> ApiProvider {
    provider_with(server, |config| config.stream = stream)
}

fn provider_with(server: &Server, change: impl FnOnce(&mut ApiConfig)) -> ApiProvider {
    let mut config = ApiConfig::new(ApiKind::OpenAi, "model-0");
    config.base_url = Some(server.url());
    config.key = Some(ApiKey::Value("sk-test".into()));
    change(&mut config);
    ApiProvider::new(config).unwrap()
}

fn says(role: Role, content: Vec<ContentPart>) -> Message {
    Message { role, content }
}

fn hello() -> LlmRequest {
    request(vec![says(Role::User, text("hello"))])
}

fn chunk(delta: Value, finish: Option<&str>) -> (&'static str, String) {
    let data = json!({
        "id": "c", "object": "chat.completion.chunk", "model": "model-1",
        "choices": [{ "index": 0, "delta": delta, "finish_reason": finish }]
    });
    ("", data.to_string())
}

fn done(usage: Value) -> [(&'static str, String); 2] {
    [
        ("", json!({ "choices": [], "usage": usage }).to_string()),
        ("", "[DONE]".into()),
    ]
}

#[tokio::test]
async fn a_whole_response() {
    let server = Server::start([Reply::json(json!({
        "id": "c", "object": "chat.completion", "model": "model-1",
        "choices": [{
            "index": 0, "finish_reason": "tool_calls",
            "message": {
                "role": "assistant", "content": "Let me look.",
                "tool_calls": [{
                    "id": "call_1", "type": "function",
                    "function": { "name": "look", "arguments": "{\"at\":\"it\"}" }
                }]
            }
        }],
        "usage": {
            "prompt_tokens": 20, "completion_tokens": 7, "total_tokens": 27,
            "prompt_tokens_details": { "cached_tokens": 8 }
        }
    }))])
    .await;
    let response = provider(&server, false)
        .complete(hello(), &mut NoDeltas)
        .await
        .unwrap();
    assert_eq!(
        response.content,
        [
            ContentPart::Text("Let me look.".into()),
            ContentPart::ToolCall(ToolCall {
                id: "call_1".into(),
                name: "look".into(),
                arguments: r#"{"at":"it"}"#.into()
            })
        ]
    );
    assert_eq!(response.stop, StopReason::ToolUse);
    assert_eq!(
        response.usage,
        Usage {
            input_tokens: 20,
            output_tokens: 7,
            cache_read_tokens: 8,
            cache_write_tokens: 0
        }
    );
    let asked = server.asked().remove(0);
    assert_eq!(asked.path, "/v1/chat/completions");
    assert_eq!(asked.headers["authorization"], "Bearer sk-test");
    assert_eq!(asked.body["model"], "model-1");
    assert_eq!(asked.body["temperature"], 0.5);
    assert_eq!(asked.body["max_tokens"], 99);
    assert_eq!(asked.body["tools"][0]["function"]["name"], "look");
    assert_eq!(
        asked.body["messages"][0],
        json!({ "role": "user", "content": "hello" })
    );
    assert!(asked.body.get("reasoning_effort").is_none());
}

#[tokio::test]
async fn a_streamed_response_arrives_in_pieces() {
    let pieces = [
        chunk(json!({ "role": "assistant", "content": "" }), None),
        chunk(json!({ "reasoning_content": "hm" }), None),
        chunk(json!({ "content": "Hel" }), None),
        chunk(json!({ "content": "lo ☺" }), None),
        chunk(json!({}), Some("stop")),
    ];
    let usage = json!({ "prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7 });
    let server = Server::start([Reply::events(pieces.into_iter().chain(done(usage)))]).await;
    let mut pieces = Pieces::default();
    let response = provider(&server, true)
        .complete(hello(), &mut pieces)
        .await
        .unwrap();
    assert_eq!(pieces.0, ["(hm)", "Hel", "lo ☺"]);
    assert_eq!(
        response.content,
        [
            ContentPart::Thinking("hm".into()),
            ContentPart::Text("Hello ☺".into())
        ]
    );
    assert_eq!(response.stop, StopReason::EndTurn);
    assert_eq!(
        (response.usage.input_tokens, response.usage.output_tokens),
        (5, 2)
    );
    let asked = server.asked().remove(0);
    assert_eq!(asked.body["stream"], true);
    assert_eq!(asked.body["stream_options"]["include_usage"], true);
}

#[tokio::test]
async fn streamed_tool_calls_are_put_together() {
    let call = |index: u32, id: Option<&str>, name: Option<&str>, arguments: &str| {
        let mut call = json!({ "index": index, "function": { "arguments": arguments } });
        if let Some(id) = id {
            call["id"] = json!(id);
            call["type"] = json!("function");
        }
        if let Some(name) = name {
            call["function"]["name"] = json!(name);
        }
        chunk(json!({ "tool_calls": [call] }), None)
    };
    let pieces = [
        call(0, Some("a"), Some("look"), ""),
        call(0, None, None, "{\"at\":"),
        call(0, None, None, "\"it\"}"),
        call(1, Some("b"), Some("look"), ""),
        call(2, Some("c"), Some("look"), "{broken"),
        chunk(json!({}), Some("tool_calls")),
    ];
    let server = Server::start([Reply::events(pieces.into_iter().chain(done(json!(null))))]).await;
    let response = provider(&server, true)
        .complete(hello(), &mut NoDeltas)
        .await
        .unwrap();
    let calls: Vec<(&str, &str)> = response
        .content
        .iter()
        .filter_map(|part| match part {
            ContentPart::ToolCall(call) => Some((call.id.as_str(), call.arguments.as_str())),
            _ => None,
        })
        .collect();
    assert_eq!(
        calls,
        [("a", r#"{"at":"it"}"#), ("b", "{}"), ("c", "{broken")]
    );
    assert_eq!(response.stop, StopReason::ToolUse);
    assert_eq!(response.usage.input_tokens, 0);
}

#[tokio::test]
async fn a_conversation_is_sent_as_the_protocol_requires() {
    let server = Server::start([Reply::status(500, json!({}))]).await;
    let call = |id: &str, arguments: &str| {
        ContentPart::ToolCall(ToolCall {
            id: id.into(),
            name: "look".into(),
            arguments: arguments.into(),
        })
    };
    let result = |id: &str| {
        let result = ToolResult {
            call_id: id.into(),
            name: "look".into(),
            content: format!("saw {id}"),
            is_error: false,
        };
        says(Role::Tool, vec![ContentPart::ToolResult(result)])
    };
    let picture = |source| {
        ContentPart::Image(Image {
            media_type: "image/png".into(),
            source,
        })
    };
    let mut asks = request(vec![
        says(Role::System, text("be brief")),
        says(
            Role::User,
            vec![
                ContentPart::Text("look".into()),
                picture(ImageSource::Bytes(vec![1, 2, 3])),
                picture(ImageSource::Url("http://x/y.png".into())),
            ],
        ),
        says(
            Role::Assistant,
            vec![
                ContentPart::Thinking("hm".into()),
                call("a", r#"{"at":"it"}"#),
                call("b", "{broken"),
            ],
        ),
        result("a"),
        result("b"),
        says(Role::Assistant, vec![]),
    ]);
    // Names that the client library would parse as an effort or another provider.
    asks.model = "vendor::qwen-max".into();
    provider(&server, false)
        .complete(asks, &mut NoDeltas)
        .await
        .unwrap_err();
    let body = server.asked().remove(0).body;
    assert_eq!(body["model"], "vendor::qwen-max");
    let messages = body["messages"].as_array().unwrap();
    assert_eq!(messages.len(), 5, "{messages:#?}");
    assert_eq!(
        messages[0],
        json!({ "role": "system", "content": "be brief" })
    );
    let parts = &messages[1]["content"];
    assert_eq!(parts[1]["image_url"]["url"], "data:image/png;base64,AQID");
    assert_eq!(parts[2]["image_url"]["url"], "http://x/y.png");
    let calls = &messages[2]["tool_calls"];
    assert_eq!(calls[0]["function"]["arguments"], r#"{"at":"it"}"#);
    assert_eq!(
        calls[1]["function"]["arguments"],
        r#"{"not_an_object":"{broken"}"#
    );
    assert!(messages[2].get("reasoning_content").is_none());
    assert_eq!(
        messages[3],
        json!({ "role": "tool", "tool_call_id": "a", "content": "saw a" })
    );
    assert_eq!(messages[4]["tool_call_id"], "b");
}

async fn fails(reply: Reply, stream: bool) -> ProviderError {
    let server = Server::start([reply]).await;
    provider(&server, stream)
        .complete(hello(), &mut NoDeltas)
        .await
        .unwrap_err()
}

#[tokio::test]
async fn failures_are_told_apart() {
    let error = |kind: &str, code: Option<&str>| json!({ "error": { "message": "in words", "type": kind, "code": code } });
    for stream in [false, true] {
        for (status, body, kind) in [
            (
                401,
                error("invalid_request_error", Some("invalid_api_key")),
                Kind::Auth,
            ),
            (
                400,
                error("invalid_request_error", Some("context_length_exceeded")),
                Kind::ContextLength,
            ),
            (
                404,
                error("invalid_request_error", Some("model_not_found")),
                Kind::BadRequest,
            ),
            (
                429,
                error("tokens", Some("rate_limit_exceeded")),
                Kind::RateLimited,
            ),
            (
                429,
                error("insufficient_quota", Some("insufficient_quota")),
                Kind::Auth,
            ),
            (500, error("server_error", None), Kind::Server),
            (503, error("overloaded", None), Kind::Overloaded),
        ] {
            let failure = fails(Reply::status(status, body), stream).await;
            assert_eq!(failure.kind, kind, "{status} {failure}");
            assert_eq!(failure.status, Some(status));
            assert_eq!(failure.message, "in words");
        }
        let busy = Reply::status(429, error("requests", None)).header("retry-after", "7");
        let failure = fails(busy, stream).await;
        assert_eq!(failure.retry_after, Some(Duration::from_secs(7)));

        let moved = Reply::status(307, json!({})).header("location", "http://127.0.0.1:9/");
        assert_eq!(
            fails(moved, stream).await.status,
            Some(307),
            "redirects are not followed"
        );
    }
}

#[tokio::test]
async fn a_stream_that_breaks_is_a_failure() {
    let text = chunk(json!({ "content": "Hel" }), None);
    let cut = Reply::events([text.clone()]);
    let failure = fails(cut, true).await;
    assert_eq!(failure.kind, Kind::Network, "{failure}");

    let late = json!({ "error": { "message": "too busy", "type": "overloaded_error" } });
    let failure = fails(Reply::events([text.clone(), ("", late.to_string())]), true).await;
    assert_eq!(
        (failure.kind, failure.message.as_str()),
        (Kind::Overloaded, "too busy")
    );

    let garbage = Reply::events([text, ("", "{nonsense".into())]);
    assert_eq!(fails(garbage, true).await.kind, Kind::Server);

    let page = Reply {
        status: 200,
        headers: vec![("content-type", "text/html".into())],
        body: "<html>secret page</html>".into(),
    };
    let failure = fails(page, false).await;
    assert_eq!(failure.kind, Kind::Server);
    assert!(!failure.message.contains("secret"), "{failure}");
}

#[tokio::test]
async fn no_server_and_no_answer_are_told_apart() {
    let closed = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap()
    };
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    for (address, kind) in [
        (closed, Kind::Network),
        (silent.local_addr().unwrap(), Kind::Timeout),
    ] {
        let mut config = ApiConfig::new(ApiKind::OpenAi, "m");
        config.base_url = Some(format!("http://{address}"));
        config.key = Some(ApiKey::None);
        config.first_byte_timeout_ms = 100;
        let provider = ApiProvider::new(config).unwrap();
        let failure = provider.complete(hello(), &mut NoDeltas).await.unwrap_err();
        assert_eq!(failure.kind, kind, "{failure}");
    }
}

#[tokio::test]
async fn an_endpoint_without_a_key_gets_none() {
    for stream in [false, true] {
        let server = Server::start([Reply::status(500, json!({}))]).await;
        let provider = provider_with(&server, |config| {
            config.key = Some(ApiKey::None);
            config.stream = stream;
        });
        let failure = provider.complete(hello(), &mut NoDeltas).await.unwrap_err();
        assert_eq!(failure.kind, Kind::Server, "{failure}");
        let asked = server.asked().remove(0);
        assert_eq!(asked.path, "/v1/chat/completions");
        assert!(asked.headers.get("authorization").is_none());
        assert_eq!(asked.body["messages"][0]["content"], "hello");
    }
    let mut config = ApiConfig::new(ApiKind::OpenAi, "m");
    config.key = Some(ApiKey::None);
    let error = ApiProvider::new(config).unwrap_err();
    assert_eq!(error, ApiConfigError::KeyNeeded);
}

#[tokio::test]
async fn reasoning_is_sent_back_only_if_configured() {
    let server =
        Server::start([Reply::status(500, json!({})), Reply::status(500, json!({}))]).await;
    for wanted in [false, true] {
        let provider = provider_with(&server, |config| config.replay_thinking = wanted);
        let asks = request(vec![
            says(Role::User, text("hi")),
            says(
                Role::Assistant,
                vec![
                    ContentPart::Thinking("hm".into()),
                    ContentPart::Text("ho".into()),
                ],
            ),
        ]);
        provider.complete(asks, &mut NoDeltas).await.unwrap_err();
        let sent = server.asked().remove(0).body;
        let reasoning = sent["messages"][1].get("reasoning_content");
        assert_eq!(reasoning, wanted.then(|| json!("hm")).as_ref());
    }
}
