//! `pre-llm-call`: a model is about to be called; the messages are the conversation.

use std::sync::Arc;

use super::action::{Action, InvalidValue, Never, Payload, Point, count};
use super::imports::{answers, facts};
use super::outcomes::outcomes;
use super::{FailureRule, Listed as _, Order, PointInfo};
use crate::contract::Rejection;
use crate::model::call::Call;
use crate::model::points::edits;

pub use crate::contract::bindings::portcullis::hooks::pre_llm_call_answer::{
    LlmCallEdit, LlmResponse,
};
pub use crate::contract::bindings::portcullis::hooks::pre_llm_call_facts::LlmCall;

outcomes! {
    PreLlmCall {
        Transform(LlmCallEdit),
        Reject(Rejection),
        Replace(LlmCallEdit),
        Answer(LlmResponse),
    }
}

/// The point `pre-llm-call`.
#[derive(Debug, Clone, Copy)]
pub struct PreLlmCall;

impl Point for PreLlmCall {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "LLM input",
        outcomes: OUTCOMES,
        order: Order::Forward,
        failure: FailureRule::Refuses,
    };

    type Input = LlmCall;
    type Outcome = Outcome;
    type Subject = LlmCall;
    type Value = LlmCallEdit;
    type Rejection = Rejection;
    type Answer = LlmResponse;
    type Ask = Never;
    type Stop = Never;
    type Contribution = Never;

    fn attempt(subject: &LlmCall) -> u32 {
        subject.attempt
    }

    fn input(subject: &LlmCall) -> &LlmCall {
        subject
    }

    fn apply(call: &mut Call<Self>, value: LlmCallEdit) -> Result<(), InvalidValue> {
        // JSON cannot express numbers that are not finite, and no provider accepts negative ones.
        if value.temperature.is_some_and(|t| !t.is_finite() || t < 0.0) {
            return Err(InvalidValue(
                "the temperature must be a number from 0 on".into(),
            ));
        }
        let tools = match &value.tools {
            Some(names) => Some(call.views.tools.only(names)?),
            None => None,
        };
        if !value.messages.is_empty() {
            let mut turn_start = call.views.turn_start;
            let messages =
                edits::edited(&call.views.conversation, value.messages, &mut turn_start)?;
            call.subject.messages = count(messages.len());
            call.views.conversation = Arc::new(messages);
            call.views.turn_start = turn_start;
        }
        if let Some(tools) = tools {
            call.subject.tools = count(tools.len());
            call.views.tools = Arc::new(tools);
        }
        if let Some(model) = value.model {
            call.subject.model = model;
        }
        if value.temperature.is_some() {
            call.subject.temperature = value.temperature;
        }
        if value.max_output_tokens.is_some() {
            call.subject.max_output_tokens = value.max_output_tokens;
        }
        Ok(())
    }

    fn payload(call: &Call<Self>) -> Payload<'_> {
        Payload::LlmCall {
            call: &call.subject,
            messages: &call.views.conversation,
            tools: call.views.tools.names().collect(),
        }
    }
}

facts! {
    PreLlmCall: pre_llm_call_facts, LlmCall {
        provider: String,
        model: String,
        attempt: u32,
        messages: u32,
        tools: u32,
        estimated_tokens: u64,
        temperature: Option<f64>,
        max_output_tokens: Option<u32>,
    }
}

answers! {
    PreLlmCall: pre_llm_call_answer {
        transform(edit: LlmCallEdit) => Action::Transform(edit);
        reject(code: String, reason: String, details: Option<String>) => Action::Reject(Rejection { code, reason, details });
        replace(edit: LlmCallEdit) => Action::Replace(edit);
        answer(response: LlmResponse) => Action::Answer(response);
    }
}
