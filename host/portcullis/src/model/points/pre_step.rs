//! `pre-step`: a step begins; the messages are the conversation.

use std::sync::Arc;

use super::action::{Action, InvalidValue, Never, Payload, Point, count};
use super::imports::{answers, facts};
use super::outcomes::outcomes;
use super::{FailureRule, Listed as _, Order, PointInfo};
use crate::contract::{MessageEdit, Rejection, StopKind, StopSignal, Usage};
use crate::model::call::Call;
use crate::model::points::edits;

pub use crate::contract::bindings::portcullis::hooks::pre_step_facts::StepState;

outcomes! {
    PreStep {
        Transform(Vec<MessageEdit>),
        Reject(Rejection),
        Stop(StopSignal),
    }
}

/// The point `pre-step`.
#[derive(Debug, Clone, Copy)]
pub struct PreStep;

impl Point for PreStep {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "step state, usage",
        outcomes: OUTCOMES,
        order: Order::Forward,
        failure: FailureRule::Refuses,
    };

    type Input = StepState;
    type Outcome = Outcome;
    type Subject = StepState;
    type Value = Vec<MessageEdit>;
    type Rejection = Rejection;
    type Answer = Never;
    type Ask = Never;
    type Stop = StopSignal;
    type Contribution = Never;

    fn input(subject: &StepState) -> &StepState {
        subject
    }

    fn apply(call: &mut Call<Self>, edits: Vec<MessageEdit>) -> Result<(), InvalidValue> {
        let mut turn_start = call.views.turn_start;
        let messages = edits::edited(&call.views.conversation, edits, &mut turn_start)?;
        call.subject.messages = count(messages.len());
        call.views.conversation = Arc::new(messages);
        call.views.turn_start = turn_start;
        Ok(())
    }

    fn payload(call: &Call<Self>) -> Payload<'_> {
        Payload::Messages(&call.views.conversation)
    }
}

facts! {
    PreStep: pre_step_facts, StepState {
        messages: u32,
        estimated_tokens: u64,
        steps: u32,
        usage: Usage,
        elapsed_us: u64,
    }
}

answers! {
    PreStep: pre_step_answer {
        transform(edits: Vec<MessageEdit>) => Action::Transform(edits);
        reject(code: String, reason: String, details: Option<String>) => Action::Reject(Rejection { code, reason, details });
        stop(kind: StopKind, message: String) => Action::Stop(StopSignal { kind, message });
    }
}
