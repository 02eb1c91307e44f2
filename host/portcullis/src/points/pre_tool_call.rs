//! `pre-tool-call`: a tool is about to run; the arguments are the tool data in hand.

use super::step::{InvalidValue, Never, Payload, Point, Step, count};
use super::{AskPerson, FailureRule, Listed as _, Order, OutcomeKind, PointInfo};
use crate::call::Call;
use crate::contract::{AskRequest, Rejection};

pub use crate::bindings::exports::portcullis::hooks::pre_tool_call::{
    ExecutionGrant, Outcome, ToolAnswer, ToolRequest,
};

impl AskPerson<PreToolCall> for AskRequest {
    fn request(&self) -> &AskRequest {
        self
    }

    fn request_mut(&mut self) -> &mut AskRequest {
        self
    }

    fn refusal(&self, rejection: Rejection) -> Rejection {
        rejection
    }

    fn changed(&self, text: String) -> String {
        text
    }
}

/// The point `pre-tool-call`.
#[derive(Debug, Clone, Copy)]
pub struct PreToolCall;

impl Point for PreToolCall {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "name, args, grant",
        outcomes: &[
            OutcomeKind::Continue,
            OutcomeKind::Transform,
            OutcomeKind::Reject,
            OutcomeKind::Replace,
            OutcomeKind::Answer,
            OutcomeKind::Ask,
        ],
        order: Order::Forward,
        failure: FailureRule::Refuses,
    };

    type Input = ToolRequest;
    type Outcome = Outcome;
    type Subject = ToolRequest;
    type Value = String;
    type Rejection = Rejection;
    type Answer = ToolAnswer;
    type Ask = AskRequest;
    type Stop = Never;
    type Contribution = Never;

    fn call_id(subject: &ToolRequest) -> Option<&str> {
        Some(&subject.call_id)
    }

    fn input(subject: &ToolRequest) -> &ToolRequest {
        subject
    }

    fn step(outcome: Outcome) -> Step<Self> {
        match outcome {
            Outcome::Continue => Step::Continue,
            Outcome::Transform(value) => Step::Transform(value),
            Outcome::Reject(rejection) => Step::Reject(rejection),
            Outcome::Replace(value) => Step::Replace(value),
            Outcome::Answer(answer) => Step::Answer(answer),
            Outcome::Ask(request) => Step::Ask(request),
        }
    }

    fn apply(call: &mut Call<Self>, value: String) -> Result<(), InvalidValue> {
        call.views.tools.check(&call.subject.name, &value)?;
        call.subject.arguments_bytes = count(value.len());
        call.views.tool_arguments = value.into();
        Ok(())
    }

    fn payload(call: &Call<Self>) -> Payload<'_> {
        Payload::Text(&call.views.tool_arguments)
    }
}
