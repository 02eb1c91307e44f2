//! `turn-stopping`: a turn is about to end; its output is the content in hand.

use super::step::{InvalidValue, Never, Payload, Point, Step};
use super::{FailureRule, Listed as _, Order, OutcomeKind, PointInfo};
use crate::call::Call;

pub use crate::bindings::exports::portcullis::hooks::turn_stopping::{Ending, Outcome, Stopping};

/// The point `turn-stopping`.
#[derive(Debug, Clone, Copy)]
pub struct TurnStopping;

impl Point for TurnStopping {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "stop reason, usage",
        outcomes: &[OutcomeKind::Continue, OutcomeKind::KeepGoing],
        order: Order::Forward,
        failure: FailureRule::Fails,
    };
    const ANSWERS_AS: OutcomeKind = OutcomeKind::KeepGoing;

    type Input = Stopping;
    type Outcome = Outcome;
    type Subject = Stopping;
    type Value = Never;
    type Rejection = Never;
    type Answer = String;
    type Ask = Never;
    type Stop = Never;
    type Contribution = Never;

    fn input(subject: &Stopping) -> &Stopping {
        subject
    }

    fn step(outcome: Outcome) -> Step<Self> {
        match outcome {
            Outcome::Continue => Step::Continue,
            Outcome::KeepGoing(words) => Step::Answer(words),
        }
    }

    fn apply(_: &mut Call<Self>, value: Never) -> Result<(), InvalidValue> {
        match value {}
    }

    fn payload(_: &Call<Self>) -> Payload<'_> {
        Payload::None
    }
}
