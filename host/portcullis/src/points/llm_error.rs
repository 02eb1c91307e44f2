//! `llm-error`: a model call has failed; a hook may say what to do about it.

use super::step::{InvalidValue, Never, Payload, Point, Step};
use super::{FailureRule, Order, OutcomeKind, PointId, PointInfo};
use crate::call::Call;
use crate::chain::{Chain, Chains};

pub use crate::bindings::exports::portcullis::hooks::llm_error::{
    LlmFailure, Outcome, ProviderChoice, ProviderErrorKind, RetryDecision,
};

/// The point `llm-error`.
#[derive(Debug, Clone, Copy)]
pub struct LlmError;

impl Point for LlmError {
    const ID: PointId = PointId::LlmError;
    const INFO: PointInfo = PointInfo {
        name: "llm-error",
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

    fn chain(chains: &Chains) -> &Chain<Self> {
        &chains.llm_error
    }

    fn chain_mut(chains: &mut Chains) -> &mut Chain<Self> {
        &mut chains.llm_error
    }
}
