//! `pre-subagent`: a sub-agent is about to be started; its task is the content in hand.

use super::step::{InvalidValue, Never, Payload, Point, Step, count, set_content};
use super::{FailureRule, Listed as _, Order, OutcomeKind, PointInfo};
use crate::call::Call;
use crate::contract::{ContentPart, Rejection};

pub use crate::bindings::exports::portcullis::hooks::pre_subagent::{
    Outcome, SubagentAnswer, SubagentSpec,
};

/// The point `pre-subagent`.
#[derive(Debug, Clone, Copy)]
pub struct PreSubagent;

impl Point for PreSubagent {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "spec",
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

    type Input = SubagentSpec;
    type Outcome = Outcome;
    type Subject = SubagentSpec;
    type Value = String;
    type Rejection = Rejection;
    type Answer = SubagentAnswer;
    type Ask = Never;
    type Stop = Never;
    type Contribution = Never;

    fn call_id(subject: &SubagentSpec) -> Option<&str> {
        Some(&subject.call_id)
    }

    fn input(subject: &SubagentSpec) -> &SubagentSpec {
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

    fn apply(call: &mut Call<Self>, task: String) -> Result<(), InvalidValue> {
        call.subject.task_bytes = count(task.len());
        set_content(call, vec![ContentPart::Text(task)]);
        Ok(())
    }

    fn payload(call: &Call<Self>) -> Payload<'_> {
        Payload::Content(&call.views.content)
    }
}
