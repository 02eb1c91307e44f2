//! `pre-turn`: a turn begins; the user's input is the current content.

use super::action::{Action, InvalidValue, Never, Payload, Point, count, set_content, text_bytes};
use super::imports::{answers, facts};
use super::outcomes::outcomes;
use super::{FailureRule, Listed as _, Order, PointInfo};
use crate::contract::{ContentPart, Rejection};
use crate::model::call::Call;

pub use crate::contract::bindings::portcullis::hooks::pre_turn_facts::TurnInput;

/// Creates the record for the user's input.
pub fn facts(content: &[ContentPart]) -> TurnInput {
    TurnInput {
        text_bytes: text_bytes(content),
        parts: count(content.len()),
    }
}

outcomes! {
    PreTurn {
        Transform(Vec<ContentPart>),
        Reject(Rejection),
        Replace(Vec<ContentPart>),
        Answer(Vec<ContentPart>),
    }
}

/// The point `pre-turn`.
#[derive(Debug, Clone, Copy)]
pub struct PreTurn;

impl Point for PreTurn {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "turn input",
        outcomes: OUTCOMES,
        order: Order::Forward,
        failure: FailureRule::Refuses,
    };

    type Input = TurnInput;
    type Outcome = Outcome;
    type Subject = TurnInput;
    type Value = Vec<ContentPart>;
    type Rejection = Rejection;
    type Answer = Vec<ContentPart>;
    type Ask = Never;
    type Stop = Never;
    type Contribution = Never;

    fn input(subject: &TurnInput) -> &TurnInput {
        subject
    }

    fn apply(call: &mut Call<Self>, value: Vec<ContentPart>) -> Result<(), InvalidValue> {
        call.subject = facts(&value);
        set_content(call, value);
        Ok(())
    }

    fn payload(call: &Call<Self>) -> Payload<'_> {
        Payload::Content(&call.views.content)
    }
}

facts! {
    PreTurn: pre_turn_facts, TurnInput {
        text_bytes: u32,
        parts: u32,
    }
}

answers! {
    PreTurn: pre_turn_answer {
        transform(content: Vec<ContentPart>) => Action::Transform(content);
        reject(code: String, reason: String, details: Option<String>) => Action::Reject(Rejection { code, reason, details });
        replace(content: Vec<ContentPart>) => Action::Replace(content);
        answer(content: Vec<ContentPart>) => Action::Answer(content);
    }
}
