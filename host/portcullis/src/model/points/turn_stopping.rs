//! `turn-stopping`: a turn is about to end; its output is the current content.

use super::action::{Action, InvalidValue, Never, Payload, Point};
use super::imports::{answers, facts};
use super::outcomes::outcomes;
use super::{FailureRule, Listed as _, Order, OutcomeKind, PointInfo};
use crate::contract::Usage;
use crate::model::call::Call;

pub use crate::contract::bindings::portcullis::hooks::turn_stopping_facts::{
    Stopping, TurnEnding as Ending,
};

outcomes! {
    TurnStopping {
        KeepGoing(String) as Answer,
    }
}

/// The point `turn-stopping`.
#[derive(Debug, Clone, Copy)]
pub struct TurnStopping;

impl Point for TurnStopping {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "stop reason, usage",
        outcomes: OUTCOMES,
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

    fn apply(_: &mut Call<Self>, value: Never) -> Result<(), InvalidValue> {
        match value {}
    }

    fn payload(_: &Call<Self>) -> Payload<'_> {
        Payload::None
    }
}

facts! {
    TurnStopping: turn_stopping_facts, Stopping {
        ending: Ending,
        steps: u32,
        usage: Usage,
        kept_going: u32,
        may_keep_going: bool,
    }
}

answers! {
    TurnStopping: turn_stopping_answer {
        keep_going(message: String) => Action::Answer(message);
    }
}
