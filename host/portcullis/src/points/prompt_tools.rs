//! `prompt-tools`: which tools there are beside the agent's own.

use super::step::{InvalidValue, Never, Payload, Point, Step, count};
use super::{FailureRule, Listed as _, Order, OutcomeKind, PointInfo};
use crate::call::Call;
use crate::prompt::Prompt;
use crate::tools::ToolCatalog;

pub use crate::bindings::exports::portcullis::hooks::prompt_tools::{
    Contribution, Outcome, ToolSet,
};

/// The point `prompt-tools`.
#[derive(Debug, Clone, Copy)]
pub struct PromptTools;

impl Point for PromptTools {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "tool set",
        outcomes: &[OutcomeKind::Continue, OutcomeKind::Contribute],
        order: Order::Forward,
        failure: FailureRule::Fails,
    };

    type Input = ToolSet;
    type Outcome = Outcome;
    type Subject = ToolSet;
    type Value = Never;
    type Rejection = Never;
    type Answer = Never;
    type Ask = Never;
    type Stop = Never;
    type Contribution = Contribution;

    fn input(subject: &ToolSet) -> &ToolSet {
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

    fn recount(subject: &mut ToolSet, prompt: &Prompt, tools: &ToolCatalog) {
        subject.tools = count(tools.len());
        subject.bundles = count(prompt.bundles.len());
    }
}
