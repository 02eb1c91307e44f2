//! `post-step`: a step is done, its tools included.

use super::action::{Action, InvalidValue, Never, Payload, Point};
use super::imports::{answers, facts};
use super::outcomes::outcomes;
use super::{FailureRule, Listed as _, Order, PointInfo};
use crate::contract::{StopKind, StopReason, StopSignal, Usage};
use crate::model::call::Call;

pub use crate::contract::bindings::portcullis::hooks::post_step_facts::StepReport;

outcomes! {
    PostStep {
        Stop(StopSignal),
    }
}

/// The point `post-step`.
#[derive(Debug, Clone, Copy)]
pub struct PostStep;

impl Point for PostStep {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "step state, usage, finish reason",
        outcomes: OUTCOMES,
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

    fn apply(_: &mut Call<Self>, value: Never) -> Result<(), InvalidValue> {
        match value {}
    }

    fn payload(_: &Call<Self>) -> Payload<'_> {
        Payload::None
    }
}

facts! {
    PostStep: post_step_facts, StepReport {
        stop: StopReason,
        tool_calls: u32,
        step_usage: Usage,
        usage: Usage,
        elapsed_us: u64,
    }
}

answers! {
    PostStep: post_step_answer {
        stop(kind: StopKind, message: String) => Action::Stop(StopSignal { kind, message });
    }
}
