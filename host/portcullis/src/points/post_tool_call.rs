//! `post-tool-call`: a tool has run; arguments and output are the tool data in hand.

use super::step::{InvalidValue, Never, Payload, Point, Step, count};
use super::{FailureRule, Listed as _, Order, OutcomeKind, PointInfo};
use crate::call::Call;
use crate::contract::Rejection;

pub use crate::bindings::exports::portcullis::hooks::post_tool_call::{
    Outcome, ToolOutcome, ToolOutput,
};

/// The point `post-tool-call`.
#[derive(Debug, Clone, Copy)]
pub struct PostToolCall;

impl Point for PostToolCall {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "args, result, elapsed",
        outcomes: &[
            OutcomeKind::Continue,
            OutcomeKind::Transform,
            OutcomeKind::Reject,
            OutcomeKind::Replace,
        ],
        order: Order::Reverse,
        failure: FailureRule::Refuses,
    };

    type Input = ToolOutcome;
    type Outcome = Outcome;
    type Subject = ToolOutcome;
    type Value = ToolOutput;
    type Rejection = Rejection;
    type Answer = Never;
    type Ask = Never;
    type Stop = Never;
    type Contribution = Never;

    fn call_id(subject: &ToolOutcome) -> Option<&str> {
        Some(&subject.call_id)
    }

    fn input(subject: &ToolOutcome) -> &ToolOutcome {
        subject
    }

    fn step(outcome: Outcome) -> Step<Self> {
        match outcome {
            Outcome::Continue => Step::Continue,
            Outcome::Transform(value) => Step::Transform(value),
            Outcome::Reject(rejection) => Step::Reject(rejection),
            Outcome::Replace(value) => Step::Replace(value),
        }
    }

    fn apply(call: &mut Call<Self>, value: ToolOutput) -> Result<(), InvalidValue> {
        call.subject.output_bytes = count(value.content.len());
        call.subject.is_error = value.is_error;
        call.views.tool_output = Some(value.content.into());
        Ok(())
    }

    fn payload(call: &Call<Self>) -> Payload<'_> {
        Payload::Output {
            content: call.views.tool_output.as_deref().unwrap_or_default(),
            is_error: call.subject.is_error,
        }
    }
}
