//! `llm-error`: a model call has failed; a hook may say what to do about it.

use super::step::{InvalidValue, Never, Payload, Point, Step};
use super::{FailureRule, Listed as _, Order, OutcomeKind, PointInfo};
use crate::call::Call;

pub use crate::bindings::exports::portcullis::hooks::llm_error::{
    LlmFailure, Outcome, ProviderChoice, ProviderErrorKind, RetryDecision,
};

/// The point `llm-error`.
#[derive(Debug, Clone, Copy)]
pub struct LlmError;

impl Point for LlmError {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "provider error, attempt",
        outcomes: &[OutcomeKind::Continue, OutcomeKind::Replace],
        order: Order::Reverse,
        failure: FailureRule::Fails,
    };
    const ANSWERS_AS: OutcomeKind = OutcomeKind::Replace;

    type Input = LlmFailure;
    type Outcome = Outcome;
    type Subject = LlmFailure;
    type Value = Never;
    type Rejection = Never;
    type Answer = RetryDecision;
    type Ask = Never;
    type Stop = Never;
    type Contribution = Never;

    fn input(subject: &LlmFailure) -> &LlmFailure {
        subject
    }

    fn step(outcome: Outcome) -> Step<Self> {
        match outcome {
            Outcome::Continue => Step::Continue,
            Outcome::Replace(decision) => Step::Answer(decision),
        }
    }

    fn apply(_: &mut Call<Self>, value: Never) -> Result<(), InvalidValue> {
        match value {}
    }

    fn payload(_: &Call<Self>) -> Payload<'_> {
        Payload::None
    }
}
