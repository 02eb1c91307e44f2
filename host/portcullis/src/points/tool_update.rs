//! `tool-update`: a running tool tells how far it is; that is the content in hand.

use super::step::{InvalidValue, Never, Payload, Point, Step};
use super::{FailureRule, Listed as _, Order, OutcomeKind, PointInfo};
use crate::call::Call;
use crate::contract::Rejection;

pub use crate::bindings::exports::portcullis::hooks::tool_update::{Outcome, ToolProgress};

/// The point `tool-update`.
#[derive(Debug, Clone, Copy)]
pub struct ToolUpdate;

impl Point for ToolUpdate {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "progress text",
        outcomes: &[OutcomeKind::Continue, OutcomeKind::Reject],
        order: Order::Forward,
        failure: FailureRule::Refuses,
    };

    type Input = ToolProgress;
    type Outcome = Outcome;
    type Subject = ToolProgress;
    type Value = Never;
    type Rejection = Rejection;
    type Answer = Never;
    type Ask = Never;
    type Stop = Never;
    type Contribution = Never;

    fn call_id(subject: &ToolProgress) -> Option<&str> {
        Some(&subject.call_id)
    }

    fn input(subject: &ToolProgress) -> &ToolProgress {
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
