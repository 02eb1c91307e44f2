//! `llm-error`: a model call has failed; a hook may choose the reaction.

use serde::{Deserialize, Serialize};

use super::action::{Action, InvalidValue, Never, Payload, Point};
use super::imports::{answers, facts};
use super::outcomes::outcomes;
use super::{FailureRule, Listed as _, Order, OutcomeKind, PointInfo};
use crate::model::call::Call;

pub use crate::contract::bindings::portcullis::hooks::llm_error_facts::{
    LlmFailure, ProviderErrorKind,
};

/// A provider and, optionally, one of its models.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProviderChoice {
    /// The provider, one of the agent's own.
    pub provider: String,
    /// The model; `None` for the provider's default.
    pub model: Option<String>,
}

/// The reaction to a failed model call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum RetryDecision {
    /// Call again after this many milliseconds.
    Retry(u32),
    /// Call another provider.
    SwitchProvider(ProviderChoice),
    /// The step fails.
    GiveUp,
}

outcomes! {
    LlmError {
        Replace(RetryDecision) as Answer,
    }
}

/// The point `llm-error`.
#[derive(Debug, Clone, Copy)]
pub struct LlmError;

impl Point for LlmError {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "provider error, attempt",
        outcomes: OUTCOMES,
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

    fn attempt(subject: &LlmFailure) -> u32 {
        subject.attempt
    }

    fn input(subject: &LlmFailure) -> &LlmFailure {
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
    LlmError: llm_error_facts, LlmFailure {
        provider: String,
        model: String,
        attempt: u32,
        kind: ProviderErrorKind,
        status: Option<u16>,
        message: String,
        retry_after_ms: Option<u32>,
        providers: Vec<String>,
    }
}

answers! {
    LlmError: llm_error_answer {
        retry(after_ms: u32) => Action::Answer(RetryDecision::Retry(after_ms));
        switch_provider(provider: String, model: Option<String>) => Action::Answer(RetryDecision::SwitchProvider(ProviderChoice { provider, model }));
        give_up() => Action::Answer(RetryDecision::GiveUp);
    }
}
