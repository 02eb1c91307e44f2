//! `turn-error`: a turn has failed; a hook may recover it with an output.

use super::step::{InvalidValue, Never, Payload, Point, Step};
use super::{FailureRule, Listed as _, Order, OutcomeKind, PointInfo};
use crate::call::Call;
use crate::contract::ContentPart;

pub use crate::bindings::exports::portcullis::hooks::turn_error::{ErrorKind, Failure, Outcome};

/// The point `turn-error`.
#[derive(Debug, Clone, Copy)]
pub struct TurnError;

impl Point for TurnError {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "error, turn output to recover with",
        outcomes: &[OutcomeKind::Continue, OutcomeKind::Replace],
        order: Order::Reverse,
        failure: FailureRule::Fails,
    };
    const ANSWERS_AS: OutcomeKind = OutcomeKind::Replace;

    type Input = Failure;
    type Outcome = Outcome;
    type Subject = Failure;
    type Value = Never;
    type Rejection = Never;
    type Answer = Vec<ContentPart>;
    type Ask = Never;
    type Stop = Never;
    type Contribution = Never;

    fn input(subject: &Failure) -> &Failure {
        subject
    }

    fn step(outcome: Outcome) -> Step<Self> {
        match outcome {
            Outcome::Continue => Step::Continue,
            Outcome::Replace(output) => Step::Answer(output),
        }
    }

    fn apply(_: &mut Call<Self>, value: Never) -> Result<(), InvalidValue> {
        match value {}
    }

    fn payload(_: &Call<Self>) -> Payload<'_> {
        Payload::None
    }
}
