//! The API provider with a server that speaks Anthropic's protocol.

use std::sync::Arc;

use portcullis::contract::{
    ContentPart, Image, ImageSource, Message, Role, StopReason, ToolCall, ToolResult, Usage,
};
use portcullis::points::llm_error::ProviderErrorKind as Kind;
use portcullis_agent::{
    ApiConfig, ApiKey, ApiKind, ApiProvider, Effort, LlmRequest, NoDeltas, Provider, Signatures,
};
use serde_json::{Value, json};

use crate::api_server::{Pieces, Reply, Server, request};
use crate::support::text;

fn provider(server: &Server, stream: bool) -> ApiProvider {
    ApiProvider::new(config(server, stream)).unwrap()
}

fn config(server: &Server, stream: bool) -> ApiConfig {
    let mut config = ApiConfig::new(ApiKind::Anthropic, "model-0");
    config.base_url = Some(server.url());
    config.key = Some(ApiKey::Value("key-test".into()));
    config.stream = stream;
    config
}

fn says(role: Role, content: Vec<ContentPart>) -> Message {
    Message { role, content }
}

fn hello() -> LlmRequest {
    request(vec![
        says(Role::System, text("be brief")),
        says(Role::User, text("hello")),
    ])
}

fn event(data: Value) -> (&'static str, String) {
    let name = match data["type"].as_str().unwrap() {
        "message_start" => "message_start",
        "content_block_start" => "content_block_start",
        "content_block_delta" => "content_block_delta",
        "content_block_stop" => "content_block_stop",
        "message_delta" => "message_delta",
        "message_stop" => "message_stop",
        "ping" => "ping",
        _ => "error",
    };
    (name, data.to_string())
}

fn block(index: u32, start: Value, deltas: &[Value]) -> Vec<(&'static str, String)> {
    let mut events = vec![event(
        json!({ "type": "content_block_start", "index": index, "content_block": start }),
    )];
    events.extend(deltas.iter().map(|delta| {
        event(json!({ "type": "content_block_delta", "index": index, "delta": delta }))
    }));
    events.push(event(
        json!({ "type": "content_block_stop", "index": index }),
    ));
    events
}

fn stream(blocks: Vec<Vec<(&'static str, String)>>, stop: &str) -> Reply {
    let mut events = vec![
        event(json!({ "type": "message_start", "message": {
            "id": "m", "role": "assistant", "content": [], "model": "model-1",
            "usage": { "input_tokens": 10, "cache_read_input_tokens": 4,
                       "cache_creation_input_tokens": 2, "output_tokens": 1 }
        } })),
        event(json!({ "type": "ping" })),
    ];
    events.extend(blocks.into_iter().flatten());
    events.push(event(json!({
        "type": "message_delta", "delta": { "stop_reason": stop }, "usage": { "output_tokens": 9 }
    })));
    events.push(event(json!({ "type": "message_stop" })));
    Reply::events(events)
}

#[tokio::test]
async fn a_whole_response() {
    let server = Server::start([Reply::json(json!({
        "id": "m", "type": "message", "role": "assistant", "model": "model-1",
        "content": [
            { "type": "text", "text": "Let me look." },
            { "type": "tool_use", "id": "t1", "name": "look", "input": { "at": "it" } }
        ],
        "stop_reason": "tool_use",
        "usage": { "input_tokens": 10, "cache_read_input_tokens": 4,
                   "cache_creation_input_tokens": 2, "output_tokens": 9 }
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
                id: "t1".into(),
                name: "look".into(),
                arguments: r#"{"at":"it"}"#.into()
            })
        ]
    );
    assert_eq!(response.stop, StopReason::ToolUse);
    assert_eq!(
        response.usage,
        Usage {
            input_tokens: 16,
            output_tokens: 9,
            cache_read_tokens: 4,
            cache_write_tokens: 2
        }
    );
    let asked = server.asked().remove(0);
    assert_eq!(asked.path, "/v1/messages");
    assert_eq!(asked.headers["x-api-key"], "key-test");
    assert_eq!(asked.headers["anthropic-version"], "2023-06-01");
    assert_eq!(asked.body["model"], "model-1");
    assert_eq!(asked.body["system"], "be brief");
    assert_eq!(asked.body["max_tokens"], 99);
    assert_eq!(asked.body["tools"][0]["input_schema"]["type"], "object");
}

#[tokio::test]
async fn a_streamed_response_with_thinking_and_tools() {
    let thinking = block(
        0,
        json!({ "type": "thinking", "thinking": "", "signature": "" }),
        &[
            json!({ "type": "thinking_delta", "thinking": "I should " }),
            json!({ "type": "thinking_delta", "thinking": "look." }),
            json!({ "type": "signature_delta", "signature": "sig-1" }),
        ],
    );
    let says_so = block(
        1,
        json!({ "type": "text", "text": "" }),
        &[
            json!({ "type": "text_delta", "text": "Let me " }),
            json!({ "type": "text_delta", "text": "look." }),
        ],
    );
    let look = block(
        2,
        json!({ "type": "tool_use", "id": "t1", "name": "look", "input": {} }),
        &[
            json!({ "type": "input_json_delta", "partial_json": "{\"at\":" }),
            json!({ "type": "input_json_delta", "partial_json": "\"it\"}" }),
        ],
    );
    let look_again = block(
        3,
        json!({ "type": "tool_use", "id": "t2", "name": "look", "input": {} }),
        &[],
    );
    let server = Server::start([
        stream(vec![thinking, says_so, look, look_again], "tool_use"),
        Reply::status(500, json!({})),
        Reply::status(500, json!({})),
    ])
    .await;
    let provider = provider(&server, true);
    let mut pieces = Pieces::default();
    let response = provider.complete(hello(), &mut pieces).await.unwrap();
    assert_eq!(pieces.0, ["(I should )", "(look.)", "Let me ", "look."]);
    let call = |id: &str, arguments: &str| {
        ContentPart::ToolCall(ToolCall {
            id: id.into(),
            name: "look".into(),
            arguments: arguments.into(),
        })
    };
    assert_eq!(
        response.content,
        [
            ContentPart::Thinking("I should look.".into()),
            ContentPart::Text("Let me look.".into()),
            call("t1", r#"{"at":"it"}"#),
            call("t2", "{}"),
        ]
    );
    assert_eq!(response.usage.input_tokens, 16);
    assert_eq!(response.usage.output_tokens, 9);

    // Another process sends the reasoning back with its signature, unless it was changed.
    server.asked();
    let provider = self::provider(&server, true);
    let signatures = Arc::new(pieces.1);
    for (thinking, sent) in [("I should look.", true), ("I should ****.", false)] {
        let mut content = response.content.clone();
        content[0] = ContentPart::Thinking(thinking.into());
        let result = |id: &str, is_error| {
            let result = ToolResult {
                call_id: id.into(),
                name: "look".into(),
                content: "saw".into(),
                is_error,
            };
            says(Role::Tool, vec![ContentPart::ToolResult(result)])
        };
        let again = request(vec![
            says(Role::User, text("hello")),
            says(Role::Assistant, content),
            result("t1", false),
            result("t2", true),
        ]);
        let again = LlmRequest {
            signatures: signatures.clone(),
            ..again
        };
        provider.complete(again, &mut NoDeltas).await.unwrap_err();
        let body = server.asked().remove(0).body;
        let messages = body["messages"].as_array().unwrap();
        assert_eq!(messages.len(), 3, "all results are in one message");
        let first = &messages[1]["content"][0];
        let expected = if sent {
            json!({ "type": "thinking", "thinking": "I should look.", "signature": "sig-1" })
        } else {
            json!({ "type": "text", "text": "Let me look." })
        };
        assert_eq!(*first, expected);
        assert_eq!(
            messages[2]["content"],
            json!([
                { "type": "tool_result", "tool_use_id": "t1", "content": "saw", "is_error": false },
                { "type": "tool_result", "tool_use_id": "t2", "content": "saw", "is_error": true }
            ])
        );
    }
}

/// Anthropic refuses the results of tool calls without the signed reasoning before the calls, if the model may reason.
#[tokio::test]
async fn a_model_does_not_reason_where_its_reasoning_cannot_be_sent_back() {
    let server = Server::start((0..4).map(|_| Reply::status(500, json!({})))).await;
    let mut config = config(&server, false);
    config.effort = Some(Effort::Medium);
    let provider = ApiProvider::new(config).unwrap();
    let thinks = |text: &str| ContentPart::Thinking(text.into());
    let call = ContentPart::ToolCall(ToolCall {
        id: "t1".into(),
        name: "look".into(),
        arguments: "{}".into(),
    });
    let result = ContentPart::ToolResult(ToolResult {
        call_id: "t1".into(),
        name: "look".into(),
        content: "saw".into(),
        is_error: false,
    });
    let said = ContentPart::Text("I saw it.".into());
    let mut signatures = Signatures::default();
    signatures.add("signed", "sig-1");
    for (reasoning, then, reasons) in [
        // The tool calls are not over.
        ("signed", None, true),
        ("lost", None, false),
        // The tool calls are over.
        ("signed", Some(said.clone()), true),
        ("lost", Some(said), true),
    ] {
        let is_signed = reasoning == "signed";
        let mut messages = vec![
            says(Role::User, text("hello")),
            says(Role::Assistant, vec![thinks(reasoning), call.clone()]),
            says(Role::Tool, vec![result.clone()]),
        ];
        if let Some(said) = then {
            messages.push(says(Role::Assistant, vec![said]));
            messages.push(says(Role::User, text("And?")));
        }
        let asks = LlmRequest {
            signatures: Arc::new(signatures.clone()),
            ..request(messages)
        };
        provider.complete(asks, &mut NoDeltas).await.unwrap_err();
        let body = server.asked().remove(0).body;
        assert_eq!(body["thinking"]["type"] == "enabled", reasons, "{body}");
        let first = &body["messages"][1]["content"][0]["type"];
        let expected = if is_signed { "thinking" } else { "tool_use" };
        assert_eq!(first, expected, "{body}");
    }
}

/// Reasoning that Anthropic does not show must be sent back unchanged, at its position.
#[tokio::test]
async fn redacted_reasoning_is_sent_back() {
    let redacted = |data: &str| json!({ "type": "redacted_thinking", "data": data });
    let signed = json!({ "type": "thinking", "thinking": "I should look.", "signature": "sig-1" });
    let look = json!({ "type": "tool_use", "id": "t1", "name": "look", "input": {} });
    let reasoning = [redacted("data-1"), signed.clone(), redacted("data-2")];
    for streamed in [false, true] {
        let answer = match streamed {
            true => {
                let thinking = [
                    json!({ "type": "thinking_delta", "thinking": "I should look." }),
                    json!({ "type": "signature_delta", "signature": "sig-1" }),
                ];
                let start = json!({ "type": "thinking", "thinking": "", "signature": "" });
                let blocks = vec![
                    block(0, redacted("data-1"), &[]),
                    block(1, start, &thinking),
                    block(2, redacted("data-2"), &[]),
                    block(3, look.clone(), &[]),
                ];
                stream(blocks, "tool_use")
            }
            false => Reply::json(json!({
                "id": "m", "type": "message", "role": "assistant", "model": "model-1",
                "content": [redacted("data-1"), signed, redacted("data-2"), look],
                "stop_reason": "tool_use",
                "usage": { "input_tokens": 10, "output_tokens": 9 }
            })),
        };
        let again = || Reply::status(500, json!({}));
        let server = Server::start([answer, again(), again()]).await;
        let mut config = config(&server, streamed);
        config.effort = Some(Effort::Medium);
        let provider = ApiProvider::new(config).unwrap();
        let mut pieces = Pieces::default();
        let response = provider.complete(hello(), &mut pieces).await.unwrap();
        // Hooks see that there is reasoning, but not its content.
        let thinks = |text: &str| ContentPart::Thinking(text.into());
        assert_eq!(
            response.content[..3],
            [thinks(""), thinks("I should look."), thinks("")]
        );
        assert_eq!(response.content.len(), 4);
        let result = ContentPart::ToolResult(ToolResult {
            call_id: "t1".into(),
            name: "look".into(),
            content: "saw".into(),
            is_error: false,
        });
        let asks = |signatures: Signatures| LlmRequest {
            signatures: Arc::new(signatures),
            ..request(vec![
                says(Role::User, text("hello")),
                says(Role::Assistant, response.content.clone()),
                says(Role::Tool, vec![result.clone()]),
            ])
        };
        server.asked();
        let known = asks(pieces.1);
        provider.complete(known, &mut NoDeltas).await.unwrap_err();
        let body = server.asked().remove(0).body;
        let sent = body["messages"][1]["content"].as_array().unwrap();
        assert_eq!(sent[..3], reasoning, "{body}");
        assert_eq!(sent[3]["type"], "tool_use", "{body}");
        assert_eq!(body["thinking"]["type"], "enabled", "{body}");

        // A lost signature cannot be sent back, so the model does not reason.
        let lost = asks(Signatures::default());
        provider.complete(lost, &mut NoDeltas).await.unwrap_err();
        let body = server.asked().remove(0).body;
        assert_eq!(body["messages"][1]["content"][0]["type"], "tool_use");
        assert_ne!(body["thinking"]["type"], "enabled", "{body}");
    }
}

#[tokio::test]
async fn pictures_are_sent_either_way() {
    let server = Server::start([Reply::status(500, json!({}))]).await;
    let picture = |source| {
        ContentPart::Image(Image {
            media_type: "image/png".into(),
            source,
        })
    };
    let asks = request(vec![says(
        Role::User,
        vec![
            picture(ImageSource::Bytes(vec![1, 2, 3])),
            picture(ImageSource::Url("http://x/y.png".into())),
        ],
    )]);
    let provider = provider(&server, false);
    provider.complete(asks, &mut NoDeltas).await.unwrap_err();
    let parts = server.asked().remove(0).body["messages"][0]["content"].clone();
    assert_eq!(
        parts,
        json!([
            { "type": "image",
              "source": { "type": "base64", "media_type": "image/png", "data": "AQID" } },
            { "type": "image", "source": { "type": "url", "url": "http://x/y.png" } }
        ])
    );
}

#[tokio::test]
async fn failures_are_told_apart() {
    let error = |kind: &str, words: &str| json!({ "type": "error", "error": { "type": kind, "message": words } });
    for streamed in [false, true] {
        for (status, body, kind) in [
            (401, error("authentication_error", "bad key"), Kind::Auth),
            (400, error("invalid_request_error", "bad"), Kind::BadRequest),
            (
                400,
                error("invalid_request_error", "prompt is too long: 9 > 8"),
                Kind::ContextLength,
            ),
            (413, error("request_too_large", "big"), Kind::ContextLength),
            (429, error("rate_limit_error", "slow"), Kind::RateLimited),
            (500, error("api_error", "oh"), Kind::Server),
            (529, error("overloaded_error", "busy"), Kind::Overloaded),
        ] {
            let server = Server::start([Reply::status(status, body)]).await;
            let failure = provider(&server, streamed)
                .complete(hello(), &mut NoDeltas)
                .await
                .unwrap_err();
            assert_eq!(
                (failure.kind, failure.status),
                (kind, Some(status)),
                "{failure}"
            );
        }
    }
    let late = event(error("overloaded_error", "busy"));
    let server = Server::start([Reply::events([late])]).await;
    let failure = provider(&server, true)
        .complete(hello(), &mut NoDeltas)
        .await
        .unwrap_err();
    assert_eq!(
        (failure.kind, failure.message.as_str()),
        (Kind::Overloaded, "busy")
    );
}

#[tokio::test]
async fn a_cut_answer_says_so() {
    let part = block(
        0,
        json!({ "type": "text", "text": "" }),
        &[json!({ "type": "text_delta", "text": "And th" })],
    );
    let server = Server::start([stream(vec![part], "max_tokens")]).await;
    let response = provider(&server, true)
        .complete(hello(), &mut NoDeltas)
        .await
        .unwrap();
    assert_eq!(response.stop, StopReason::MaxTokens);
}
