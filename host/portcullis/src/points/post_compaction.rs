//! `post-compaction`: the conversation has been compacted; the summary is the content in hand.

use super::step::{InvalidValue, Never, Payload, Point, Step};
use super::{FailureRule, Order, OutcomeKind, PointId, PointInfo};
use crate::call::Call;
use crate::chain::{Chain, Chains};

pub use crate::bindings::exports::portcullis::hooks::post_compaction::{CompactionResult, Outcome};

/// The point `post-compaction`.
#[derive(Debug, Clone, Copy)]
pub struct PostCompaction;

impl Point for PostCompaction {
    const ID: PointId = PointId::PostCompaction;
    const INFO: PointInfo = PointInfo {
        name: "post-compaction",
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

    fn chain(chains: &Chains) -> &Chain<Self> {
        &chains.post_compaction
    }

    fn chain_mut(chains: &mut Chains) -> &mut Chain<Self> {
        &mut chains.post_compaction
    }
}
