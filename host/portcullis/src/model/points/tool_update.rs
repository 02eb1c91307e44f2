//! `tool-update`: a running tool reports its progress; the text is the current content.

use super::action::{Action, InvalidValue, Never, Payload, Point};
use super::imports::{answers, facts};
use super::outcomes::outcomes;
use super::{FailureRule, Listed as _, Order, PointInfo};
use crate::contract::Rejection;
use crate::model::call::Call;

pub use crate::contract::bindings::portcullis::hooks::tool_update_facts::ToolProgress;

outcomes! {
    ToolUpdate {
        Reject(Rejection),
    }
}

/// The point `tool-update`.
#[derive(Debug, Clone, Copy)]
pub struct ToolUpdate;

impl Point for ToolUpdate {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "progress text",
        outcomes: OUTCOMES,
        order: Order::Forward,
        failure: FailureRule::Refuses,
    };

    type Input = ToolProgress;
    type Outcome = Outcome;
    type Subject = ToolProgress;
    type Value = Never;
    type Rejection = Rejection;
    type Answer = Never;
    type Ask = Never;
    type Stop = Never;
    type Contribution = Never;

    fn call_id(subject: &ToolProgress) -> Option<&str> {
        Some(&subject.call_id)
    }

    fn input(subject: &ToolProgress) -> &ToolProgress {
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
    ToolUpdate: tool_update_facts, ToolProgress {
        call_id: String,
        name: String,
        index: u32,
        text_bytes: u32,
    }
}

answers! {
    ToolUpdate: tool_update_answer {
        reject(code: String, reason: String, details: Option<String>) => Action::Reject(Rejection { code, reason, details });
    }
}
