//! `pre-compaction`: the conversation is about to be compacted.

use serde::{Deserialize, Serialize};

use super::action::{Action, InvalidValue, Never, Payload, Point};
use super::imports::{answers, facts};
use super::outcomes::outcomes;
use super::{FailureRule, Listed as _, Order, PointInfo};
use crate::contract::Rejection;
use crate::model::call::Call;

pub use crate::contract::bindings::portcullis::hooks::pre_compaction_facts::TokenBudget;

/// A compaction that is being decided: the budget, and the hint so far.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Compaction {
    /// The token budget.
    pub budget: TokenBudget,
    /// The hint from hooks; empty at first.
    pub hint: CompactionHint,
}

impl Compaction {
    /// Creates a compaction under this budget, with an empty hint.
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

/// The instructions of hooks for a compaction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CompactionHint {
    /// The indexes of messages to keep, in addition to those that the agent always keeps.
    pub keep: Vec<u32>,
    /// The required contents of the summary, in words for the model.
    pub instructions: Option<String>,
}

outcomes! {
    PreCompaction {
        Transform(CompactionHint),
        Reject(Rejection),
    }
}

/// The point `pre-compaction`.
#[derive(Debug, Clone, Copy)]
pub struct PreCompaction;

impl Point for PreCompaction {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "messages, budget",
        outcomes: OUTCOMES,
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

facts! {
    PreCompaction: pre_compaction_facts, TokenBudget {
        limit: u64,
        used: u64,
        messages: u32,
    }
}

answers! {
    PreCompaction: pre_compaction_answer {
        transform(keep: Vec<u32>, instructions: Option<String>) => Action::Transform(CompactionHint { keep, instructions });
        reject(code: String, reason: String, details: Option<String>) => Action::Reject(Rejection { code, reason, details });
    }
}
