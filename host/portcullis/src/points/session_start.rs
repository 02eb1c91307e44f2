//! `session-start`: a session begins, before its first turn.

use super::step::{InvalidValue, Never, Payload, Point, Step};
use super::{FailureRule, Listed as _, Order, OutcomeKind, PointInfo};
use crate::call::Call;
use crate::contract::Rejection;

pub use crate::bindings::exports::portcullis::hooks::session_start::{Outcome, SessionInfo};

/// The point `session-start`.
#[derive(Debug, Clone, Copy)]
pub struct SessionStart;

impl Point for SessionStart {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "session info",
        outcomes: &[OutcomeKind::Continue, OutcomeKind::Reject],
        order: Order::Forward,
        failure: FailureRule::Refuses,
    };

    type Input = SessionInfo;
    type Outcome = Outcome;
    type Subject = SessionInfo;
    type Value = Never;
    type Rejection = Rejection;
    type Answer = Never;
    type Ask = Never;
    type Stop = Never;
    type Contribution = Never;

    fn input(subject: &SessionInfo) -> &SessionInfo {
        subject
    }

    fn step(outcome: Outcome) -> Step<Self> {
        match outcome {
            Outcome::Continue => Step::Continue,
            Outcome::Reject(rejection) => Step::Reject(rejection),
        }
    }

    fn apply(_: &mut Call<Self>, value: Never) -> Result<(), InvalidValue> {
        match value {}
    }

    fn payload(_: &Call<Self>) -> Payload<'_> {
        Payload::None
    }
}
