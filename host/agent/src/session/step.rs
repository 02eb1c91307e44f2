//! The steps of a turn: a model call, and the tool calls it asks for.

use std::sync::Arc;

use portcullis::contract::{ContentPart, Role, ToolCall};

use super::llm::Asked;
use super::output::Output;
use super::running::Running;
use crate::error::TurnError;
use crate::events::{CallPurpose, TurnOrigin};

impl Running {
    /// Steps until the model asks for no more tools.
    pub(super) async fn steps(&mut self) -> Result<Output, TurnError> {
        let limit = self.shared.context.config.max_steps.get();
        loop {
            if self.place.step >= limit {
                return Err(TurnError::StepLimit { limit });
            }
            self.place.step += 1;
            self.compact_if_over().await;
            let asked = Asked {
                estimated_tokens: self.meter.read(&self.conversation, &self.views.tools),
                messages: self.request_messages(),
                tools: self.views.tools.clone(),
                max_output_tokens: self.shared.context.config.max_output_tokens,
                purpose: CallPurpose::Step,
            };
            let got = self.call_model(asked).await?;
            let calls: Vec<ToolCall> = tool_calls(&got.content);
            if calls.is_empty() {
                let content = said(&got.content);
                self.put_output(got.content);
                self.measure(got.real_tokens);
                return Ok(Output {
                    content: Arc::new(content),
                    stop: got.stop,
                    origin: TurnOrigin::Model,
                });
            }
            self.push(Role::Assistant, got.content);
            self.measure(got.real_tokens);
            self.run_tools(calls, &got.offered).await;
        }
    }

    /// Takes note of what the conversation really has, where the provider said so.
    fn measure(&mut self, real_tokens: Option<u64>) {
        if let Some(tokens) = real_tokens {
            self.meter.set(tokens, self.conversation.len());
        }
    }
}

fn tool_calls(content: &[ContentPart]) -> Vec<ToolCall> {
    content
        .iter()
        .filter_map(|part| match part {
            ContentPart::ToolCall(call) => Some(call.clone()),
            _ => None,
        })
        .collect()
}

/// What a response says to the user: reasoning is not said.
fn said(content: &[ContentPart]) -> Vec<ContentPart> {
    content
        .iter()
        .filter(|part| matches!(part, ContentPart::Text(_) | ContentPart::Image(_)))
        .cloned()
        .collect()
}
