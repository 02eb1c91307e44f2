//! `pre-turn`: a turn begins; what the user said is the content in hand.

use super::step::{InvalidValue, Never, Payload, Point, Step, count, set_content, text_bytes};
use super::{FailureRule, Listed as _, Order, OutcomeKind, PointInfo};
use crate::call::Call;
use crate::contract::{ContentPart, Rejection};

pub use crate::bindings::exports::portcullis::hooks::pre_turn::{Outcome, TurnInput};

/// The record for what the user said.
pub fn facts(content: &[ContentPart]) -> TurnInput {
    TurnInput {
        text_bytes: text_bytes(content),
        parts: count(content.len()),
    }
}

/// The point `pre-turn`.
#[derive(Debug, Clone, Copy)]
pub struct PreTurn;

impl Point for PreTurn {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "turn input",
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

    type Input = TurnInput;
    type Outcome = Outcome;
    type Subject = TurnInput;
    type Value = Vec<ContentPart>;
    type Rejection = Rejection;
    type Answer = Vec<ContentPart>;
    type Ask = Never;
    type Stop = Never;
    type Contribution = Never;

    fn input(subject: &TurnInput) -> &TurnInput {
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

    fn apply(call: &mut Call<Self>, value: Vec<ContentPart>) -> Result<(), InvalidValue> {
        call.subject = facts(&value);
        set_content(call, value);
        Ok(())
    }

    fn payload(call: &Call<Self>) -> Payload<'_> {
        Payload::Content(&call.views.content)
    }
}
