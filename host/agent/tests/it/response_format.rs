//! The response format in requests.

use portcullis::contract::{Message, Role};
use portcullis::points::llm_error::ProviderErrorKind;
use portcullis::points::prompt_compile::{NamedSchema, ResponseFormat};
use portcullis_agent::{
    ApiConfig, ApiKey, ApiKind, ApiProvider, LlmRequest, NoDeltas, Provider, ProviderError,
};
use serde_json::{Value, json};

use crate::api_server::{Reply, Server, request};
use crate::support::text;

/// Returns the body that a provider of this kind sends for a request in this format.
async fn sent(kind: ApiKind, format: ResponseFormat) -> Result<Value, ProviderError> {
    let reply = match kind {
        ApiKind::OpenAi => json!({
            "id": "1", "object": "chat.completion", "created": 1, "model": "model-1",
            "choices": [{
                "index": 0, "finish_reason": "stop",
                "message": { "role": "assistant", "content": "{}" }
            }],
            "usage": { "prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2 }
        }),
        ApiKind::Anthropic => json!({
            "id": "1", "type": "message", "role": "assistant", "model": "model-1",
            "content": [{ "type": "text", "text": "{}" }], "stop_reason": "end_turn",
            "usage": { "input_tokens": 1, "output_tokens": 1 }
        }),
    };
    let server = Server::start([Reply::json(reply)]).await;
    let provider = ApiProvider::new(ApiConfig {
        base_url: Some(server.url()),
        key: Some(ApiKey::Value("sk-test".into())),
        stream: false,
        ..ApiConfig::new(kind, "model-1")
    })
    .unwrap();
    let message = |role, words| Message {
        role,
        content: text(words),
    };
    let asked = LlmRequest {
        response_format: Some(format),
        ..request(vec![
            message(Role::System, "the operator's"),
            message(Role::System, "the hooks'"),
            message(Role::User, "hello"),
        ])
    };
    provider.complete(asked, &mut NoDeltas).await?;
    Ok(server.asked().remove(0).body)
}

fn schema(text: &str) -> ResponseFormat {
    ResponseFormat::Schema(NamedSchema {
        name: "an answer".into(),
        schema: text.into(),
    })
}

const PERSON: &str = r#"{"type":"object","properties":{"name":{"type":"string"}}}"#;

#[tokio::test]
async fn openai_is_sent_json_and_schemas() {
    let body = sent(ApiKind::OpenAi, schema(PERSON)).await.unwrap();
    let format = &body["response_format"];
    assert_eq!(format["type"], "json_schema");
    assert_eq!(format["json_schema"]["name"], "an_answer");
    let properties = &format["json_schema"]["schema"]["properties"];
    assert_eq!(properties["name"]["type"], "string");

    let body = sent(ApiKind::OpenAi, ResponseFormat::Json).await.unwrap();
    assert_eq!(body["response_format"], json!({ "type": "json_object" }));
    assert_eq!(body["messages"][0]["content"], "the operator's");
    assert_eq!(body["messages"][1]["content"], "the hooks'");

    let body = sent(ApiKind::OpenAi, ResponseFormat::Text).await.unwrap();
    assert_eq!(body.get("response_format"), None);
}

#[tokio::test]
async fn anthropic_is_sent_schemas_and_no_plain_json() {
    let body = sent(ApiKind::Anthropic, schema(PERSON)).await.unwrap();
    let format = &body["output_config"]["format"];
    assert_eq!(format["type"], "json_schema", "{body}");
    assert_eq!(format["schema"]["properties"]["name"]["type"], "string");

    let body = sent(ApiKind::Anthropic, ResponseFormat::Json)
        .await
        .unwrap();
    assert_eq!(body.get("output_config"), None);
    let system = body["system"].to_string();
    let place = |words| system.find(words).unwrap_or_else(|| panic!("{system}"));
    assert!(place("the operator's") < place("the hooks'"));
}

#[tokio::test]
async fn an_invalid_schema_is_not_sent() {
    let error = sent(ApiKind::OpenAi, schema("{")).await.unwrap_err();
    assert_eq!(error.kind, ProviderErrorKind::BadRequest);
}
