//! Converts the contract's messages to the client library's.

use base64::Engine as _;
use genai::chat::{
    Binary, ChatMessage, ChatRequest, ChatResponseFormat, ChatRole, ContentPart as ApiPart,
    JsonSpec, MessageContent, Tool, ToolCall as ApiCall, ToolResponse,
};
use portcullis::contract::{ContentPart, Image, ImageSource, Message, Role, ToolCall, ToolResult};
use portcullis::points::llm_error::ProviderErrorKind;
use portcullis::points::prompt_compile::ResponseFormat;
use serde_json::{Value, json};

use super::response::REDACTED;
use super::{ApiConfig, ApiKind};
use crate::provider::{LlmRequest, ProviderError, Signature};

/// A tool name that the client library treats as one of Anthropic's own tools.
const TAKEN_NAME: &str = "web_search";

/// Returns whether the model may reason. If it may, Anthropic refuses the results of tool calls
/// without the signed reasoning before the calls. Without the signature, the model must therefore
/// not reason until these calls are over.
pub(super) fn may_reason(request: &LlmRequest, kind: ApiKind) -> bool {
    if kind != ApiKind::Anthropic {
        return true;
    }
    let is_over = |message: &Message| {
        let is_call = |part: &ContentPart| matches!(part, ContentPart::ToolCall(_));
        message.role == Role::Assistant && !message.content.iter().any(is_call)
    };
    let over = request.messages.iter().rposition(is_over);
    let open = over.map_or(0, |at| at + 1);
    let open = request.messages.get(open..).unwrap_or_default();
    request.signatures.of(open).iter().all(Option::is_some)
}

/// Returns the client library's request, for a model that [may reason](may_reason) or not.
pub(super) fn build(
    request: &LlmRequest,
    config: &ApiConfig,
    may_reason: bool,
) -> Result<ChatRequest, ProviderError> {
    let mut messages: Vec<ChatMessage> = Vec::with_capacity(request.messages.len());
    let signatures = request.signatures.of(&request.messages);
    let mut signatures = signatures
        .into_iter()
        .map(|signature| signature.filter(|_| may_reason));
    for message in request.messages.iter() {
        let parts = parts(message, config, &mut signatures);
        // Providers refuse messages without content.
        if parts.is_empty() {
            continue;
        }
        match messages.last_mut() {
            // Anthropic requires all results of one response in one message. OpenAI accepts it.
            Some(last) if message.role == Role::Tool && last.role == ChatRole::Tool => {
                for part in parts {
                    last.content.push(part);
                }
            }
            _ => messages.push(ChatMessage::new(
                role(message.role),
                MessageContent::from_parts(parts),
            )),
        }
    }
    let mut built = ChatRequest::new(messages);
    if !request.tools.is_empty() {
        built = built.with_tools(tools(request, config.kind)?);
    }
    Ok(built)
}

/// Returns the response format of the client library.
pub(super) fn response_format(
    request: &LlmRequest,
) -> Result<Option<ChatResponseFormat>, ProviderError> {
    Ok(match &request.response_format {
        None | Some(ResponseFormat::Text) => None,
        Some(ResponseFormat::Json) => Some(ChatResponseFormat::JsonMode),
        Some(ResponseFormat::Schema(named)) => {
            let schema: Value = serde_json::from_str(&named.schema).map_err(|e| {
                ProviderError::new(
                    ProviderErrorKind::BadRequest,
                    format!("the schema of the response format is not JSON: {e}"),
                )
            })?;
            Some(JsonSpec::new(schema_name(&named.name), schema).into())
        }
    })
}

/// Returns the name in the form that OpenAI accepts: letters, digits, `-` and `_`, not empty and
/// not too long.
fn schema_name(name: &str) -> String {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let name: String = name
        .chars()
        .take(64)
        .map(|c| if allowed(c) { c } else { '_' })
        .collect();
    if name.is_empty() {
        "response".to_owned()
    } else {
        name
    }
}

fn role(role: Role) -> ChatRole {
    match role {
        Role::System => ChatRole::System,
        Role::User => ChatRole::User,
        Role::Assistant => ChatRole::Assistant,
        Role::Tool => ChatRole::Tool,
    }
}

fn tools(request: &LlmRequest, kind: ApiKind) -> Result<Vec<Tool>, ProviderError> {
    request
        .tools
        .specs()
        .map(|spec| {
            if kind == ApiKind::Anthropic && spec.name == TAKEN_NAME {
                return Err(ProviderError::new(
                    ProviderErrorKind::BadRequest,
                    format!("the provider has its own tool `{TAKEN_NAME}`; rename this one"),
                ));
            }
            let schema: Value = serde_json::from_str(&spec.schema).map_err(|e| {
                ProviderError::new(
                    ProviderErrorKind::BadRequest,
                    format!("the schema of tool `{}` is not JSON: {e}", spec.name),
                )
            })?;
            Ok(Tool::new(spec.name.as_str())
                .with_description(spec.description.as_str())
                .with_schema(schema))
        })
        .collect()
}

/// Returns the parts of a message. The signatures cover its reasoning and the messages after it.
fn parts<'s>(
    message: &Message,
    config: &ApiConfig,
    signatures: &mut impl Iterator<Item = Option<&'s Signature>>,
) -> Vec<ApiPart> {
    let mut parts = Vec::with_capacity(message.content.len());
    for part in &message.content {
        match part {
            // Anthropic refuses empty text.
            ContentPart::Text(text) if text.is_empty() => {}
            ContentPart::Text(text) => parts.push(ApiPart::Text(text.clone())),
            ContentPart::Thinking(text) => {
                let signature = signatures.next().flatten();
                parts.extend(thinking(text, config, signature));
            }
            ContentPart::Image(picture) => parts.push(image(picture, config.kind)),
            ContentPart::ToolCall(call) => parts.push(tool_call(call)),
            ContentPart::ToolResult(result) => parts.push(tool_result(result, config.kind)),
        }
    }
    parts
}

fn thinking(text: &str, config: &ApiConfig, signature: Option<&Signature>) -> Vec<ApiPart> {
    match config.kind {
        ApiKind::Anthropic => match signature {
            Some(Signature::OfText(signature)) => vec![
                ApiPart::ThoughtSignature(signature.clone()),
                ApiPart::ReasoningContent(text.to_owned()),
            ],
            Some(Signature::Redacted { redacted }) => {
                let block = json!({ "type": REDACTED, "data": redacted });
                vec![ApiPart::from_custom(block, None)]
            }
            None => Vec::new(),
        },
        // Redacted reasoning has no text.
        ApiKind::OpenAi if config.replay_thinking && !text.is_empty() => {
            vec![ApiPart::ReasoningContent(text.to_owned())]
        }
        ApiKind::OpenAi => Vec::new(),
    }
}

fn image(image: &Image, kind: ApiKind) -> ApiPart {
    match (&image.source, kind) {
        // The client library drops images given by URL for Anthropic, which accepts them.
        (ImageSource::Url(url), ApiKind::Anthropic) => ApiPart::from_custom(
            json!({ "type": "image", "source": { "type": "url", "url": url } }),
            None,
        ),
        (ImageSource::Url(url), ApiKind::OpenAi) => {
            ApiPart::Binary(Binary::from_url(&image.media_type, url, None))
        }
        (ImageSource::Bytes(bytes), _) => {
            let text = base64::engine::general_purpose::STANDARD.encode(bytes);
            ApiPart::Binary(Binary::from_base64(&image.media_type, text, None))
        }
    }
}

fn tool_call(call: &ToolCall) -> ApiPart {
    // Models sometimes write broken JSON, but providers accept only an object.
    let fn_arguments = match serde_json::from_str(&call.arguments) {
        Ok(arguments @ Value::Object(_)) => arguments,
        _ => json!({ "not_an_object": call.arguments }),
    };
    ApiPart::ToolCall(ApiCall {
        call_id: call.id.clone(),
        fn_name: call.name.clone(),
        fn_arguments,
        thought_signatures: None,
    })
}

fn tool_result(result: &ToolResult, kind: ApiKind) -> ApiPart {
    match kind {
        // The client library has no field for a tool's failure.
        ApiKind::Anthropic => ApiPart::from_custom(
            json!({
                "type": "tool_result",
                "tool_use_id": result.call_id,
                "content": result.content,
                "is_error": result.is_error,
            }),
            None,
        ),
        ApiKind::OpenAi => {
            ApiPart::ToolResponse(ToolResponse::new(&result.call_id, &result.content))
        }
    }
}
