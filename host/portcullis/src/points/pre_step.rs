//! `pre-step`: a step begins; the messages are the conversation.

use std::sync::Arc;

use super::step::{InvalidValue, Never, Payload, Point, Step, count};
use super::{FailureRule, Listed as _, Order, OutcomeKind, PointInfo};
use crate::call::Call;
use crate::contract::{MessageEdit, Rejection, StopSignal};
use crate::points::edits;

pub use crate::bindings::exports::portcullis::hooks::pre_step::{Outcome, StepState};

/// The point `pre-step`.
#[derive(Debug, Clone, Copy)]
pub struct PreStep;

impl Point for PreStep {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "step state, usage",
        outcomes: &[
            OutcomeKind::Continue,
            OutcomeKind::Transform,
            OutcomeKind::Reject,
            OutcomeKind::Stop,
        ],
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

    fn step(outcome: Outcome) -> Step<Self> {
        match outcome {
            Outcome::Continue => Step::Continue,
            Outcome::Transform(value) => Step::Transform(value),
            Outcome::Reject(rejection) => Step::Reject(rejection),
            Outcome::Stop(signal) => Step::Stop(signal),
        }
    }

    fn apply(call: &mut Call<Self>, edits: Vec<MessageEdit>) -> Result<(), InvalidValue> {
        let messages = edits::edited(&call.views.conversation, edits)?;
        call.subject.messages = count(messages.len());
        call.views.conversation = Arc::new(messages);
        Ok(())
    }

    fn payload(call: &Call<Self>) -> Payload<'_> {
        Payload::Messages(&call.views.conversation)
    }
}
