//! `llm-delta`: a piece of a response is about to be shown; it is the content in hand.

use super::step::{InvalidValue, Never, Payload, Point, Step, count, set_content};
use super::{FailureRule, Listed as _, Order, OutcomeKind, PointInfo};
use crate::call::Call;
use crate::contract::{ContentPart, Rejection, StopSignal};

pub use crate::bindings::exports::portcullis::hooks::llm_delta::{Delta, DeltaKind, Outcome};

/// The point `llm-delta`.
#[derive(Debug, Clone, Copy)]
pub struct LlmDelta;

impl Point for LlmDelta {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "text or thinking chunk",
        outcomes: &[
            OutcomeKind::Continue,
            OutcomeKind::Transform,
            OutcomeKind::Reject,
            OutcomeKind::Stop,
        ],
        order: Order::Forward,
        failure: FailureRule::Refuses,
    };

    type Input = Delta;
    type Outcome = Outcome;
    type Subject = Delta;
    type Value = String;
    type Rejection = Rejection;
    type Answer = Never;
    type Ask = Never;
    type Stop = StopSignal;
    type Contribution = Never;

    fn input(subject: &Delta) -> &Delta {
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

    fn apply(call: &mut Call<Self>, text: String) -> Result<(), InvalidValue> {
        call.subject.bytes = count(text.len());
        set_content(call, vec![ContentPart::Text(text)]);
        Ok(())
    }

    fn payload(call: &Call<Self>) -> Payload<'_> {
        Payload::Content(&call.views.content)
    }
}
