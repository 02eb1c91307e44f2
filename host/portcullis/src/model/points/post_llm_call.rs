//! `post-llm-call`: a model has answered; the response is the current content.

use super::action::{Action, InvalidValue, Never, Payload, Point, set_content, text_bytes};
use super::imports::{answers, facts};
use super::outcomes::outcomes;
use super::{FailureRule, Listed as _, Order, PointInfo};
use crate::contract::{ContentPart, Rejection, StopReason, Usage};
use crate::model::call::Call;

pub use crate::contract::bindings::portcullis::hooks::post_llm_call_facts::LlmResult;

/// Returns the names of the tools that a response asks for, in order.
pub fn tool_names(content: &[ContentPart]) -> Vec<String> {
    content
        .iter()
        .filter_map(|part| match part {
            ContentPart::ToolCall(call) => Some(call.name.clone()),
            _ => None,
        })
        .collect()
}

outcomes! {
    PostLlmCall {
        Transform(Vec<ContentPart>),
        Reject(Rejection),
        Replace(Vec<ContentPart>),
    }
}

/// The point `post-llm-call`.
#[derive(Debug, Clone, Copy)]
pub struct PostLlmCall;

impl Point for PostLlmCall {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "LLM response",
        outcomes: OUTCOMES,
        order: Order::Reverse,
        failure: FailureRule::Refuses,
    };

    type Input = LlmResult;
    type Outcome = Outcome;
    type Subject = LlmResult;
    type Value = Vec<ContentPart>;
    type Rejection = Rejection;
    type Answer = Never;
    type Ask = Never;
    type Stop = Never;
    type Contribution = Never;

    fn attempt(subject: &LlmResult) -> u32 {
        subject.attempt
    }

    fn input(subject: &LlmResult) -> &LlmResult {
        subject
    }

    fn apply(call: &mut Call<Self>, value: Vec<ContentPart>) -> Result<(), InvalidValue> {
        call.subject.text_bytes = text_bytes(&value);
        call.subject.tool_calls = tool_names(&value);
        set_content(call, value);
        Ok(())
    }

    fn payload(call: &Call<Self>) -> Payload<'_> {
        Payload::Content(&call.views.content)
    }
}

facts! {
    PostLlmCall: post_llm_call_facts, LlmResult {
        provider: String,
        model: String,
        attempt: u32,
        stop: StopReason,
        usage: Usage,
        text_bytes: u32,
        tool_calls: Vec<String>,
        elapsed_us: u64,
    }
}

answers! {
    PostLlmCall: post_llm_call_answer {
        transform(content: Vec<ContentPart>) => Action::Transform(content);
        reject(code: String, reason: String, details: Option<String>) => Action::Reject(Rejection { code, reason, details });
        replace(content: Vec<ContentPart>) => Action::Replace(content);
    }
}
