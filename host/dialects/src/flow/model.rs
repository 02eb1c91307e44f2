//! Model calls, in the stable form of Gemini CLI.

use std::sync::Arc;

use portcullis::Views;
use portcullis::contract::{ContentPart, Message, Role};
use portcullis::points::PreLlmCall;
use portcullis::points::pre_llm_call::{LlmCall, LlmResponse};
use portcullis_bridge::Decision;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Caller, Decided, Flow, Undecided, count, display, payload, texts};
use crate::verdict::Verdict;

/// The approximate number of bytes in a token.
const BYTES_PER_TOKEN: usize = 4;

/// The parts of a model call that hooks may change.
#[derive(Deserialize)]
struct Request {
    call: LlmCall,
    messages: Vec<Message>,
    #[serde(rename = "tools")]
    _tools: Vec<String>,
}

impl<C: Caller> Flow<'_, C> {
    pub(super) async fn before_model(&mut self) -> Decided<C::Error> {
        if let Some(text) = self.refused_before() {
            return Ok(Verdict::Refused(text));
        }
        let request = self.event.value("llm_request")?.clone();
        let messages = messages(&request);
        let bytes: usize = messages
            .iter()
            .map(|message| texts(&message.content).len())
            .sum();
        let config = |key: &str| request.get("config").and_then(|config| config.get(key));
        let tokens = config("maxOutputTokens").and_then(Value::as_u64);
        let input = LlmCall {
            provider: self.event.dialect().provider().into(),
            model: text(&request, "model").into(),
            attempt: 1,
            messages: count(messages.len()),
            tools: 0,
            estimated_tokens: (bytes / BYTES_PER_TOKEN) as u64,
            temperature: config("temperature").and_then(Value::as_f64),
            max_output_tokens: tokens.and_then(|tokens| u32::try_from(tokens).ok()),
        };
        let views = Views {
            conversation: Arc::new(messages.clone()),
            ..Views::default()
        };
        let reply = self.call::<PreLlmCall>(input.clone(), views).await?;
        Ok(match &reply.decision {
            Decision::Answer { value, .. } => {
                let response: LlmResponse =
                    portcullis::json::from_json(value.clone()).map_err(Undecided::Reply)?;
                Verdict::Response(texts(&response.content))
            }
            Decision::Transform { .. } => {
                let after: Request = payload(&reply)?;
                Verdict::ChangedRequest(changes(&input, &messages, &after))
            }
            decision => match decision.refusal("The model was not called") {
                Some(text) => Verdict::Refused(text),
                None => Verdict::Passed,
            },
        })
    }

    /// Decides about a chunk of a response. Hooks do not see chunks without text, such as tool
    /// calls.
    pub(super) async fn after_model(&mut self) -> Decided<C::Error> {
        let response = self.event.value("llm_response")?;
        let parts = candidate(response).and_then(|first| first.get("content")?.get("parts"));
        let parts = parts.and_then(Value::as_array);
        let parts = parts.into_iter().flatten().filter_map(|part| match part {
            Value::String(text) => Some(text.as_str()),
            part => part.get("text")?.as_str(),
        });
        let said: String = parts.collect();
        if said.is_empty() {
            return Ok(Verdict::Passed);
        }
        let reply = self.delta(&said, 0, is_last_chunk(response)).await?;
        Ok(match reply.decision.refusal("The response is withheld") {
            Some(text) => Verdict::Withheld(text),
            None => display::changed(&reply)?,
        })
    }
}

/// Returns whether this is the response's last chunk.
pub(crate) fn is_last_chunk(response: &Value) -> bool {
    candidate(response).is_some_and(|first| first.get("finishReason").is_some())
}

/// Returns the first candidate of a response.
fn candidate(response: &Value) -> Option<&Value> {
    response.get("candidates")?.get(0)
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn messages(request: &Value) -> Vec<Message> {
    let messages = request.get("messages").and_then(Value::as_array);
    let messages = messages.into_iter().flatten().map(|message| Message {
        role: match text(message, "role") {
            "model" => Role::Assistant,
            "system" => Role::System,
            _ => Role::User,
        },
        content: vec![ContentPart::Text(text(message, "content").to_owned())],
    });
    messages.collect()
}

/// Returns the changed parts of the request, in its own form.
fn changes(before: &LlmCall, messages: &[Message], after: &Request) -> Value {
    let mut changed = Map::new();
    if before.model != after.call.model {
        changed.insert("model".into(), after.call.model.clone().into());
    }
    if messages != after.messages {
        let messages = after.messages.iter().map(|message| {
            let role = match message.role {
                Role::Assistant => "model",
                Role::System => "system",
                Role::User | Role::Tool => "user",
            };
            json!({"role": role, "content": texts(&message.content)})
        });
        changed.insert("messages".into(), messages.collect());
    }
    let mut config = Map::new();
    if before.temperature != after.call.temperature {
        config.insert("temperature".into(), json!(after.call.temperature));
    }
    if before.max_output_tokens != after.call.max_output_tokens {
        let tokens = json!(after.call.max_output_tokens);
        config.insert("maxOutputTokens".into(), tokens);
    }
    if !config.is_empty() {
        changed.insert("config".into(), config.into());
    }
    changed.into()
}
