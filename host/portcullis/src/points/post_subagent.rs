//! `post-subagent`: a sub-agent is done; its result is the content in hand.

use super::step::{InvalidValue, Never, Payload, Point, Step, count, set_content};
use super::{FailureRule, Listed as _, Order, OutcomeKind, PointInfo};
use crate::call::Call;
use crate::contract::ContentPart;

pub use crate::bindings::exports::portcullis::hooks::post_subagent::{Outcome, SubagentResult};

/// The point `post-subagent`.
#[derive(Debug, Clone, Copy)]
pub struct PostSubagent;

impl Point for PostSubagent {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "result",
        outcomes: &[OutcomeKind::Continue, OutcomeKind::Transform],
        order: Order::Reverse,
        failure: FailureRule::Fails,
    };

    type Input = SubagentResult;
    type Outcome = Outcome;
    type Subject = SubagentResult;
    type Value = String;
    type Rejection = Never;
    type Answer = Never;
    type Ask = Never;
    type Stop = Never;
    type Contribution = Never;

    fn call_id(subject: &SubagentResult) -> Option<&str> {
        Some(&subject.call_id)
    }

    fn input(subject: &SubagentResult) -> &SubagentResult {
        subject
    }

    fn step(outcome: Outcome) -> Step<Self> {
        match outcome {
            Outcome::Continue => Step::Continue,
            Outcome::Transform(value) => Step::Transform(value),
        }
    }

    fn apply(call: &mut Call<Self>, result: String) -> Result<(), InvalidValue> {
        call.subject.output_bytes = count(result.len());
        set_content(call, vec![ContentPart::Text(result)]);
        Ok(())
    }

    fn payload(call: &Call<Self>) -> Payload<'_> {
        Payload::Content(&call.views.content)
    }
}
