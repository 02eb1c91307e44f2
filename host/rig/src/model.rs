//! Model calls.

use std::sync::Arc;

use portcullis::Views;
use portcullis::capabilities::View;
use portcullis::contract::{ContentPart, Message, StopReason, ToolSpec};
use portcullis::points::post_llm_call::{LlmResult, tool_names};
use portcullis::points::post_turn::TurnOutput;
use portcullis::points::pre_llm_call::LlmCall;
use portcullis::points::{PostLlmCall, PreLlmCall, pre_turn};
use portcullis::tools::ToolCatalog;
use rig_agent::agent::HookContext;
use rig_core::completion::{CompletionRequest, CompletionResponse, FinishReason};
use rig_core::effect::EffectId;
use serde::Deserialize;

use crate::error::undecided;
use crate::left::{with_messages, with_parts};
use crate::message::{message, parts, usage};
use crate::output::{answer, output_tool};
use crate::session::{Session, count, passed, with_content};

const NOT_CALLED: &str = "The model was not called";
const WITHHELD: &str = "The model's answer was withheld";

/// A model call after the hooks have run.
#[derive(Deserialize)]
struct Left {
    call: LlmCall,
    messages: Vec<Message>,
    tools: Vec<String>,
}

impl Session {
    /// Calls the hooks before a model call. Returns the request, if hooks changed it.
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
            tools: tools.clone(),
            ..Views::default()
        };
        let reply = self
            .call::<PreLlmCall>(cx, &facts, &[View::Conversation, View::ToolCatalog], views)
            .await;
        let left: Option<Left> = passed(NOT_CALLED, reply)?;
        let run = self.run(cx);
        run.begin(call, None);
        // From the request before the hooks ran: rig accepts the answer even if a hook hides the
        // tool.
        run.answer_by(output_tool(request));
        let Some(left) = left else {
            run.offer(tools);
            return Ok(None);
        };
        let offered = tools.only(&left.tools);
        let offered = offered.map_err(|error| undecided(NOT_CALLED, &error))?;
        run.offer(Arc::new(offered));
        let changed = changed(request.clone(), &facts, left);
        changed
            .map(Some)
            .map_err(|error| undecided(NOT_CALLED, &error))
    }

    /// Calls the hooks after a model's answer. Returns the answer, if hooks changed it. The answer
    /// may end the turn.
    pub(crate) async fn after_model(
        &self,
        cx: &HookContext,
        call: EffectId,
        request: &CompletionRequest,
        response: &CompletionResponse,
    ) -> Result<Option<CompletionResponse>, String> {
        let run = self.run(cx);
        let begun = run.end(call);
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
        let ended = match answer(run.output_tool().as_deref(), said) {
            None => None,
            Some(answer) => {
                let facts = TurnOutput {
                    text_bytes: pre_turn::facts(&answer).text_bytes,
                    steps: count(cx.turn()),
                    stop,
                    usage: usage(&response.usage),
                    elapsed_us,
                };
                self.after_turn(cx, &facts, answer).await?
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

/// Returns the request after the hooks have run.
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
