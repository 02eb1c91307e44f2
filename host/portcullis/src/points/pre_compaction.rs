//! `pre-compaction`: the conversation is about to be compacted.

use super::step::{InvalidValue, Never, Payload, Point, Step};
use super::{FailureRule, Listed as _, Order, OutcomeKind, PointInfo};
use crate::call::Call;
use crate::contract::Rejection;

pub use crate::bindings::exports::portcullis::hooks::pre_compaction::{
    CompactionHint, Outcome, TokenBudget,
};

/// A compaction that is being decided: the budget, and the hint so far.
#[derive(Debug, Clone)]
pub struct Compaction {
    /// How much there is and may be.
    pub budget: TokenBudget,
    /// What hooks have asked for; empty at first.
    pub hint: CompactionHint,
}

impl Compaction {
    /// A compaction under this budget, with an empty hint.
    pub fn new(budget: TokenBudget) -> Self {
        Self {
            budget,
            hint: CompactionHint {
                keep: Vec::new(),
                instructions: None,
            },
        }
    }
}

impl From<TokenBudget> for Compaction {
    fn from(budget: TokenBudget) -> Self {
        Self::new(budget)
    }
}

/// The point `pre-compaction`.
#[derive(Debug, Clone, Copy)]
pub struct PreCompaction;

impl Point for PreCompaction {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "messages, budget",
        outcomes: &[
            OutcomeKind::Continue,
            OutcomeKind::Transform,
            OutcomeKind::Reject,
        ],
        order: Order::Forward,
        failure: FailureRule::Refuses,
    };

    type Input = TokenBudget;
    type Outcome = Outcome;
    type Subject = Compaction;
    type Value = CompactionHint;
    type Rejection = Rejection;
    type Answer = Never;
    type Ask = Never;
    type Stop = Never;
    type Contribution = Never;

    fn input(subject: &Compaction) -> &TokenBudget {
        &subject.budget
    }

    fn step(outcome: Outcome) -> Step<Self> {
        match outcome {
            Outcome::Continue => Step::Continue,
            Outcome::Transform(value) => Step::Transform(value),
            Outcome::Reject(rejection) => Step::Reject(rejection),
        }
    }

    fn apply(call: &mut Call<Self>, value: CompactionHint) -> Result<(), InvalidValue> {
        let messages = call.subject.budget.messages;
        if let Some(index) = value.keep.iter().find(|index| **index >= messages) {
            return Err(InvalidValue(format!(
                "the hint keeps message {index}, but there are {messages}"
            )));
        }
        call.subject.hint = value;
        Ok(())
    }

    fn payload(call: &Call<Self>) -> Payload<'_> {
        Payload::Hint(&call.subject.hint)
    }
}
