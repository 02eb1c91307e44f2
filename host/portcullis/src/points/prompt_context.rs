//! `prompt-context`: what the turn should know.

use super::step::{InvalidValue, Never, Payload, Point, Step, count};
use super::{FailureRule, Listed as _, Order, OutcomeKind, PointInfo};
use crate::call::Call;
use crate::prompt::Prompt;
use crate::tools::ToolCatalog;

pub use crate::bindings::exports::portcullis::hooks::prompt_context::{
    ContextSet, Contribution, Outcome,
};

/// The point `prompt-context`.
#[derive(Debug, Clone, Copy)]
pub struct PromptContext;

impl Point for PromptContext {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "context set",
        outcomes: &[OutcomeKind::Continue, OutcomeKind::Contribute],
        order: Order::Forward,
        failure: FailureRule::Fails,
    };

    type Input = ContextSet;
    type Outcome = Outcome;
    type Subject = ContextSet;
    type Value = Never;
    type Rejection = Never;
    type Answer = Never;
    type Ask = Never;
    type Stop = Never;
    type Contribution = Contribution;

    fn input(subject: &ContextSet) -> &ContextSet {
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

    fn recount(subject: &mut ContextSet, prompt: &Prompt, _: &ToolCatalog) {
        subject.policies = count(prompt.policies.len());
        subject.items = count(prompt.items.len());
    }
}
