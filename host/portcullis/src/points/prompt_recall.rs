//! `prompt-recall`: what else the turn should know, by the plan of what to look for.

use super::step::{InvalidValue, Never, Payload, Point, Step, count};
use super::{FailureRule, Listed as _, Order, OutcomeKind, PointInfo};
use crate::call::Call;
use crate::prompt::Prompt;
use crate::tools::ToolCatalog;

pub use crate::bindings::exports::portcullis::hooks::prompt_recall::{
    Contribution, Outcome, RecallPlan,
};

/// The point `prompt-recall`.
#[derive(Debug, Clone, Copy)]
pub struct PromptRecall;

impl Point for PromptRecall {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "context + preflight plan",
        outcomes: &[OutcomeKind::Continue, OutcomeKind::Contribute],
        order: Order::Forward,
        failure: FailureRule::Fails,
    };

    type Input = RecallPlan;
    type Outcome = Outcome;
    type Subject = RecallPlan;
    type Value = Never;
    type Rejection = Never;
    type Answer = Never;
    type Ask = Never;
    type Stop = Never;
    type Contribution = Contribution;

    fn input(subject: &RecallPlan) -> &RecallPlan {
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

    fn recount(subject: &mut RecallPlan, prompt: &Prompt, _: &ToolCatalog) {
        subject.items = count(prompt.items.len());
    }
}
