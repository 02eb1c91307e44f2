//! `post-step`: a step is done, its tools included.

use super::step::{InvalidValue, Never, Payload, Point, Step};
use super::{FailureRule, Listed as _, Order, OutcomeKind, PointInfo};
use crate::call::Call;
use crate::contract::StopSignal;

pub use crate::bindings::exports::portcullis::hooks::post_step::{Outcome, StepReport};

/// The point `post-step`.
#[derive(Debug, Clone, Copy)]
pub struct PostStep;

impl Point for PostStep {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "step state, usage, finish reason",
        outcomes: &[OutcomeKind::Continue, OutcomeKind::Stop],
        order: Order::Reverse,
        failure: FailureRule::Fails,
    };

    type Input = StepReport;
    type Outcome = Outcome;
    type Subject = StepReport;
    type Value = Never;
    type Rejection = Never;
    type Answer = Never;
    type Ask = Never;
    type Stop = StopSignal;
    type Contribution = Never;

    fn input(subject: &StepReport) -> &StepReport {
        subject
    }

    fn step(outcome: Outcome) -> Step<Self> {
        match outcome {
            Outcome::Continue => Step::Continue,
            Outcome::Stop(signal) => Step::Stop(signal),
        }
    }

    fn apply(_: &mut Call<Self>, value: Never) -> Result<(), InvalidValue> {
        match value {}
    }

    fn payload(_: &Call<Self>) -> Payload<'_> {
        Payload::None
    }
}
