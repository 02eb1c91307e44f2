//! `post-llm-call`: a model has answered; the response is the content in hand.

use super::step::{InvalidValue, Never, Payload, Point, Step, set_content, text_bytes};
use super::{FailureRule, Listed as _, Order, OutcomeKind, PointInfo};
use crate::call::Call;
use crate::contract::{ContentPart, Rejection};

pub use crate::bindings::exports::portcullis::hooks::post_llm_call::{LlmResult, Outcome};

/// The names of the tools that a response asks for, in order.
pub fn tool_names(content: &[ContentPart]) -> Vec<String> {
    content
        .iter()
        .filter_map(|part| match part {
            ContentPart::ToolCall(call) => Some(call.name.clone()),
            _ => None,
        })
        .collect()
}

/// The point `post-llm-call`.
#[derive(Debug, Clone, Copy)]
pub struct PostLlmCall;

impl Point for PostLlmCall {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "LLM response",
        outcomes: &[
            OutcomeKind::Continue,
            OutcomeKind::Transform,
            OutcomeKind::Reject,
            OutcomeKind::Replace,
        ],
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

    fn input(subject: &LlmResult) -> &LlmResult {
        subject
    }

    fn step(outcome: Outcome) -> Step<Self> {
        match outcome {
            Outcome::Continue => Step::Continue,
            Outcome::Transform(value) => Step::Transform(value),
            Outcome::Reject(rejection) => Step::Reject(rejection),
            Outcome::Replace(value) => Step::Replace(value),
        }
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
