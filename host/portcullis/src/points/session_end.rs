//! `session-end`: a session ends, however it ends.

use super::step::{InvalidValue, Never, Payload, Point, Step};
use super::{FailureRule, Listed as _, Order, OutcomeKind, PointInfo};
use crate::call::Call;

pub use crate::bindings::exports::portcullis::hooks::session_end::{
    EndReason, Outcome, SessionSummary,
};

/// The point `session-end`.
#[derive(Debug, Clone, Copy)]
pub struct SessionEnd;

impl Point for SessionEnd {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "end reason",
        outcomes: &[OutcomeKind::Continue],
        order: Order::Forward,
        failure: FailureRule::NeverFatal,
    };

    type Input = SessionSummary;
    type Outcome = Outcome;
    type Subject = SessionSummary;
    type Value = Never;
    type Rejection = Never;
    type Answer = Never;
    type Ask = Never;
    type Stop = Never;

    fn input(subject: &SessionSummary) -> &SessionSummary {
        subject
    }

    fn step(outcome: Outcome) -> Step<Self> {
        match outcome {
            Outcome::Continue => Step::Continue,
        }
    }

    fn apply(_: &mut Call<Self>, value: Never) -> Result<(), InvalidValue> {
        match value {}
    }

    fn payload(_: &Call<Self>) -> Payload<'_> {
        Payload::None
    }
}
