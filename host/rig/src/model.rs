//! A turn and the calls of the model in it.

use std::sync::Arc;

use portcullis::Views;
use portcullis::capabilities::View;
use portcullis::contract::{ContentPart, Message, StopReason, ToolSpec};
use portcullis::points::post_llm_call::{LlmResult, tool_names};
use portcullis::points::post_turn::TurnOutput;
use portcullis::points::pre_llm_call::LlmCall;
use portcullis::points::{PostLlmCall, PostTurn, PreLlmCall, PreTurn, pre_turn};
use portcullis::tools::ToolCatalog;
use rig_agent::agent::HookContext;
use rig_core::completion::{
    CompletionRequest, CompletionResponse, FinishReason, Message as RigMessage,
};
use rig_core::effect::EffectId;
use serde::Deserialize;

use crate::error::undecided;
use crate::left::{with_messages, with_parts, with_prompt};
use crate::message::{message, parts, usage};
use crate::session::{Session, count, passed};

const NOT_STARTED: &str = "The turn was not started";
const NOT_CALLED: &str = "The model was not called";
const WITHHELD: &str = "The model's answer was withheld";
const TURN_WITHHELD: &str = "The answer was withheld";

/// What hooks left of a call of the model.
#[derive(Deserialize)]
struct Left {
    call: LlmCall,
    messages: Vec<Message>,
    tools: Vec<String>,
}

impl Session {
    /// A turn begins. Gives the prompt, if hooks changed it.
    pub(crate) async fn before_turn(
        &self,
        cx: &HookContext,
        prompt: &RigMessage,
    ) -> Result<Option<RigMessage>, String> {
        let content = message(prompt).content;
        let facts = pre_turn::facts(&content);
        let reply = self
            .call::<PreTurn>(cx, &facts, &[View::Content], with_content(content))
            .await;
        let left: Option<Vec<ContentPart>> = passed(NOT_STARTED, reply)?;
        let prompt = left.map(|left| with_prompt(prompt, left)).transpose();
        prompt.map_err(|error| undecided(NOT_STARTED, &error))
    }

    /// The model is about to be called. Gives the request, if hooks changed it.
    pub(crate) async fn before_model(
        &self,
        cx: &HookContext,
        call: EffectId,
        request: &CompletionRequest,
    ) -> Result<Option<CompletionRequest>, String> {
        let specs = request.tools.iter().map(|tool| ToolSpec {
            name: tool.name.to_string(),
            description: tool.description.clone(),
            schema: tool.parameters.to_string(),
        });
        let tools = ToolCatalog::new(specs).map_err(|error| undecided(NOT_CALLED, &error))?;
        let tools = Arc::new(tools);
        *self.tools.lock() = tools.clone();
        let messages: Vec<Message> = request.chat_history.iter().map(message).collect();
        let bytes: u64 = messages
            .iter()
            .map(|message| u64::from(pre_turn::facts(&message.content).text_bytes))
            .sum();
        let facts = LlmCall {
            provider: String::new(),
            model: request.model.clone().unwrap_or_default(),
            attempt: 1,
            messages: count(messages.len()),
            tools: count(tools.len()),
            estimated_tokens: bytes / 4,
            temperature: request.temperature,
            max_output_tokens: request
                .max_tokens
                .map(|most| u32::try_from(most).unwrap_or(u32::MAX)),
        };
        let views = Views {
            conversation: Arc::new(messages),
            tools,
            ..Views::default()
        };
        let reply = self
            .call::<PreLlmCall>(cx, &facts, &[View::Conversation, View::ToolCatalog], views)
            .await;
        let left: Option<Left> = passed(NOT_CALLED, reply)?;
        self.run(cx).begin(call, None);
        let changed = left
            .map(|left| changed(request.clone(), &facts, left))
            .transpose();
        changed.map_err(|error| undecided(NOT_CALLED, &error))
    }

    /// The model has answered. Gives the answer, if hooks changed it. One without tool calls ends the turn.
    pub(crate) async fn after_model(
        &self,
        cx: &HookContext,
        call: EffectId,
        request: &CompletionRequest,
        response: &CompletionResponse,
    ) -> Result<Option<CompletionResponse>, String> {
        let begun = self.run(cx).end(call);
        let elapsed = begun.map(|begun| begun.at.elapsed()).unwrap_or_default();
        let elapsed_us = u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX);
        let content = parts(&response.choice);
        let stop = stop(response.finish_reason());
        let facts = LlmResult {
            provider: response.origin.provider.to_string(),
            model: response
                .model()
                .or(request.model.as_deref())
                .unwrap_or_default()
                .to_owned(),
            attempt: 1,
            stop: stop.clone(),
            usage: usage(&response.usage),
            text_bytes: pre_turn::facts(&content).text_bytes,
            tool_calls: tool_names(&content),
            elapsed_us,
        };
        let reply = self
            .call::<PostLlmCall>(cx, &facts, &[View::Content], with_content(content.clone()))
            .await;
        let left: Option<Vec<ContentPart>> = passed(WITHHELD, reply)?;
        let said = left.as_ref().unwrap_or(&content);
        let ends = tool_names(said).is_empty();
        let ended = match ends {
            false => None,
            true => {
                let facts = TurnOutput {
                    text_bytes: pre_turn::facts(said).text_bytes,
                    steps: count(cx.turn()),
                    stop,
                    usage: usage(&response.usage),
                    elapsed_us,
                };
                let reply = self
                    .call::<PostTurn>(cx, &facts, &[View::Content], with_content(said.clone()))
                    .await;
                passed(TURN_WITHHELD, reply)?
            }
        };
        let Some(left) = ended.or(left) else {
            return Ok(None);
        };
        if !tool_names(&content).is_empty() || !tool_names(&left).is_empty() {
            let why = "a hook changed an answer with tool calls, which rig cannot change";
            return Err(undecided(WITHHELD, &why));
        }
        let choice =
            with_parts(&response.choice, left).map_err(|error| undecided(WITHHELD, &error))?;
        let mut changed = response.clone();
        changed.choice = choice;
        Ok(Some(changed))
    }
}

fn with_content(content: Vec<ContentPart>) -> Views {
    Views {
        content: Arc::new(content),
        ..Views::default()
    }
}

/// The request as hooks left it.
fn changed(
    mut request: CompletionRequest,
    before: &LlmCall,
    left: Left,
) -> Result<CompletionRequest, String> {
    request.chat_history = with_messages(request.chat_history, left.messages)?;
    request
        .tools
        .retain(|tool| left.tools.iter().any(|name| *name == *tool.name));
    if left.call.model != before.model {
        request.model = Some(left.call.model);
    }
    request.temperature = left.call.temperature;
    request.max_tokens = left.call.max_output_tokens.map(u64::from);
    Ok(request)
}

fn stop(reason: Option<FinishReason>) -> StopReason {
    match reason {
        None | Some(FinishReason::Stop) => StopReason::EndTurn,
        Some(FinishReason::Length) => StopReason::MaxTokens,
        Some(FinishReason::ToolCalls) => StopReason::ToolUse,
        Some(FinishReason::ContentFilter) => StopReason::Refusal,
        Some(FinishReason::Other(reason)) => StopReason::Other(reason),
        Some(reason) => StopReason::Other(format!("{reason:?}")),
    }
}
