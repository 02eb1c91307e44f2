//! `post-compaction`: the conversation has been compacted; the summary is the content in hand.

use super::step::{InvalidValue, Never, Payload, Point, Step};
use super::{FailureRule, Listed as _, Order, OutcomeKind, PointInfo};
use crate::call::Call;

pub use crate::bindings::exports::portcullis::hooks::post_compaction::{CompactionResult, Outcome};

/// The point `post-compaction`.
#[derive(Debug, Clone, Copy)]
pub struct PostCompaction;

impl Point for PostCompaction {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "removed, summary",
        outcomes: &[OutcomeKind::Continue],
        order: Order::Reverse,
        failure: FailureRule::NeverFatal,
    };

    type Input = CompactionResult;
    type Outcome = Outcome;
    type Subject = CompactionResult;
    type Value = Never;
    type Rejection = Never;
    type Answer = Never;
    type Ask = Never;
    type Stop = Never;

    fn input(subject: &CompactionResult) -> &CompactionResult {
        subject
    }

    fn step(outcome: Outcome) -> Step<Self> {
        match outcome {
            Outcome::Continue => Step::Continue,
        }
    }

    fn apply(_: &mut Call<Self>, value: Never) -> Result<(), InvalidValue> {
        match value {}
    }

    fn payload(_: &Call<Self>) -> Payload<'_> {
        Payload::None
    }
}
