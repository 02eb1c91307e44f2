//! `turn-error`: a turn has failed; a hook may recover it with an output.

use super::action::{Action, InvalidValue, Never, Payload, Point};
use super::imports::{answers, facts};
use super::outcomes::outcomes;
use super::{FailureRule, Listed as _, Order, OutcomeKind, PointInfo};
use crate::contract::ContentPart;
use crate::model::call::Call;

pub use crate::contract::bindings::portcullis::hooks::turn_error_facts::{ErrorKind, Failure};

outcomes! {
    TurnError {
        Replace(Vec<ContentPart>) as Answer,
    }
}

/// The point `turn-error`.
#[derive(Debug, Clone, Copy)]
pub struct TurnError;

impl Point for TurnError {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "error, turn output to recover with",
        outcomes: OUTCOMES,
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

    fn apply(_: &mut Call<Self>, value: Never) -> Result<(), InvalidValue> {
        match value {}
    }

    fn payload(_: &Call<Self>) -> Payload<'_> {
        Payload::None
    }
}

facts! {
    TurnError: turn_error_facts, Failure {
        kind: ErrorKind,
        message: String,
    }
}

answers! {
    TurnError: turn_error_answer {
        replace(content: Vec<ContentPart>) => Action::Answer(content);
    }
}
