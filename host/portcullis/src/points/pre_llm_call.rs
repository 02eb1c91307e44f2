//! `pre-llm-call`: a model is about to be called; the messages are the conversation.

use std::sync::Arc;

use super::step::{InvalidValue, Never, Payload, Point, Step, count};
use super::{FailureRule, Listed as _, Order, OutcomeKind, PointInfo};
use crate::call::Call;
use crate::contract::{Message, Rejection};

pub use crate::bindings::exports::portcullis::hooks::pre_llm_call::{
    LlmCall, LlmCallEdit, LlmResponse, MessageEdit, Outcome,
};

/// The most edits of one answer. They are made outside of the hook's own limits, and each may move
/// the whole list.
const MOST_EDITS: usize = 1_024;

fn edit_messages(messages: &mut Vec<Message>, edit: MessageEdit) -> Result<(), InvalidValue> {
    let len = messages.len();
    let outside = |index: u32| {
        InvalidValue(format!(
            "an edit names message {index}, but there are {len}"
        ))
    };
    match edit {
        MessageEdit::Insert((index, message)) => {
            let at = index as usize;
            if at > len {
                return Err(outside(index));
            }
            messages.insert(at, message);
        }
        MessageEdit::Set((index, message)) => match messages.get_mut(index as usize) {
            Some(slot) => *slot = message,
            None => return Err(outside(index)),
        },
        MessageEdit::Remove(index) => {
            let at = index as usize;
            if at >= len {
                return Err(outside(index));
            }
            messages.remove(at);
        }
    }
    Ok(())
}

/// The point `pre-llm-call`.
#[derive(Debug, Clone, Copy)]
pub struct PreLlmCall;

impl Point for PreLlmCall {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "LLM input",
        outcomes: &[
            OutcomeKind::Continue,
            OutcomeKind::Transform,
            OutcomeKind::Reject,
            OutcomeKind::Replace,
            OutcomeKind::Answer,
        ],
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

    fn input(subject: &LlmCall) -> &LlmCall {
        subject
    }

    fn step(outcome: Outcome) -> Step<Self> {
        match outcome {
            Outcome::Continue => Step::Continue,
            Outcome::Transform(value) => Step::Transform(value),
            Outcome::Reject(rejection) => Step::Reject(rejection),
            Outcome::Replace(value) => Step::Replace(value),
            Outcome::Answer(answer) => Step::Answer(answer),
        }
    }

    fn apply(call: &mut Call<Self>, value: LlmCallEdit) -> Result<(), InvalidValue> {
        if value.messages.len() > MOST_EDITS {
            return Err(InvalidValue(format!(
                "{} edits, and {MOST_EDITS} are the most",
                value.messages.len()
            )));
        }
        let tools = match &value.tools {
            Some(names) => Some(call.views.tools.only(names)?),
            None => None,
        };
        if !value.messages.is_empty() {
            let mut messages = call.views.conversation.to_vec();
            for edit in value.messages {
                edit_messages(&mut messages, edit)?;
            }
            call.subject.messages = count(messages.len());
            call.views.conversation = Arc::new(messages);
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
