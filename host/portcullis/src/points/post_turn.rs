//! `post-turn`: a turn is done; its output is the content in hand.

use super::step::{InvalidValue, Never, Payload, Point, Step, set_content, text_bytes};
use super::{FailureRule, Listed as _, Order, OutcomeKind, PointInfo};
use crate::call::Call;
use crate::contract::{ContentPart, Rejection};

pub use crate::bindings::exports::portcullis::hooks::post_turn::{
    Contribution, Outcome, TurnOutput,
};

/// The point `post-turn`.
#[derive(Debug, Clone, Copy)]
pub struct PostTurn;

impl Point for PostTurn {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "turn output",
        outcomes: &[
            OutcomeKind::Continue,
            OutcomeKind::Transform,
            OutcomeKind::Reject,
            OutcomeKind::Replace,
            OutcomeKind::Contribute,
        ],
        order: Order::Reverse,
        failure: FailureRule::Refuses,
    };

    type Input = TurnOutput;
    type Outcome = Outcome;
    type Subject = TurnOutput;
    type Value = Vec<ContentPart>;
    type Rejection = Rejection;
    type Answer = Never;
    type Ask = Never;
    type Stop = Never;
    type Contribution = Contribution;

    fn input(subject: &TurnOutput) -> &TurnOutput {
        subject
    }

    fn step(outcome: Outcome) -> Step<Self> {
        match outcome {
            Outcome::Continue => Step::Continue,
            Outcome::Transform(value) => Step::Transform(value),
            Outcome::Reject(rejection) => Step::Reject(rejection),
            Outcome::Replace(value) => Step::Replace(value),
            Outcome::Contribute(list) => Step::Contribute(list),
        }
    }

    fn apply(call: &mut Call<Self>, value: Vec<ContentPart>) -> Result<(), InvalidValue> {
        call.subject.text_bytes = text_bytes(&value);
        set_content(call, value);
        Ok(())
    }

    fn payload(call: &Call<Self>) -> Payload<'_> {
        Payload::Content(&call.views.content)
    }
}
