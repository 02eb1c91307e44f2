//! `prompt-policy`: what the turn may do, domain by domain.

use super::step::{InvalidValue, Never, Payload, Point, Step, count};
use super::{FailureRule, Listed as _, Order, OutcomeKind, PointInfo};
use crate::call::Call;
use crate::prompt::Prompt;
use crate::tools::ToolCatalog;

pub use crate::bindings::exports::portcullis::hooks::prompt_policy::{
    Contribution, Outcome, TurnFacts,
};

/// The point `prompt-policy`.
#[derive(Debug, Clone, Copy)]
pub struct PromptPolicy;

impl Point for PromptPolicy {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "effective policy",
        outcomes: &[OutcomeKind::Continue, OutcomeKind::Contribute],
        order: Order::Forward,
        failure: FailureRule::Fails,
    };

    type Input = TurnFacts;
    type Outcome = Outcome;
    type Subject = TurnFacts;
    type Value = Never;
    type Rejection = Never;
    type Answer = Never;
    type Ask = Never;
    type Stop = Never;
    type Contribution = Contribution;

    fn input(subject: &TurnFacts) -> &TurnFacts {
        subject
    }

    fn step(outcome: Outcome) -> Step<Self> {
        match outcome {
            Outcome::Continue => Step::Continue,
            Outcome::Contribute(list) => Step::Contribute(list),
        }
    }

    fn apply(_: &mut Call<Self>, value: Never) -> Result<(), InvalidValue> {
        match value {}
    }

    fn payload(_: &Call<Self>) -> Payload<'_> {
        Payload::None
    }

    fn recount(subject: &mut TurnFacts, prompt: &Prompt, _: &ToolCatalog) {
        subject.policies = count(prompt.policies.len());
    }
}
