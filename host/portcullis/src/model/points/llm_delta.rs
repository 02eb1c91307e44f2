//! `llm-delta`: a piece of a response is about to be shown; it is the current content.

use super::action::{Action, InvalidValue, Never, Payload, Point, count, set_content};
use super::imports::{answers, facts};
use super::outcomes::outcomes;
use super::{FailureRule, Listed as _, Order, PointInfo};
use crate::contract::{ContentPart, Rejection, StopKind, StopSignal};
use crate::model::call::Call;

pub use crate::contract::bindings::portcullis::hooks::llm_delta_facts::{Delta, DeltaKind};

outcomes! {
    LlmDelta {
        Transform(String),
        Reject(Rejection),
        Stop(StopSignal),
    }
}

/// The point `llm-delta`.
#[derive(Debug, Clone, Copy)]
pub struct LlmDelta;

impl Point for LlmDelta {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "text or thinking chunk",
        outcomes: OUTCOMES,
        order: Order::Forward,
        failure: FailureRule::Refuses,
    };

    type Input = Delta;
    type Outcome = Outcome;
    type Subject = Delta;
    type Value = String;
    type Rejection = Rejection;
    type Answer = Never;
    type Ask = Never;
    type Stop = StopSignal;
    type Contribution = Never;

    fn input(subject: &Delta) -> &Delta {
        subject
    }

    fn apply(call: &mut Call<Self>, text: String) -> Result<(), InvalidValue> {
        call.subject.bytes = count(text.len());
        set_content(call, vec![ContentPart::Text(text)]);
        Ok(())
    }

    fn payload(call: &Call<Self>) -> Payload<'_> {
        Payload::Content(&call.views.content)
    }
}

facts! {
    LlmDelta: llm_delta_facts, Delta {
        kind: DeltaKind,
        index: u32,
        bytes: u32,
        last: bool,
    }
}

answers! {
    LlmDelta: llm_delta_answer {
        transform(text: String) => Action::Transform(text);
        reject(code: String, reason: String, details: Option<String>) => Action::Reject(Rejection { code, reason, details });
        stop(kind: StopKind, message: String) => Action::Stop(StopSignal { kind, message });
    }
}
