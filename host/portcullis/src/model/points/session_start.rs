//! `session-start`: a session begins, before its first turn.

use super::action::{Action, InvalidValue, Never, Payload, Point};
use super::imports::{answers, facts};
use super::outcomes::outcomes;
use super::{FailureRule, Listed as _, Order, PointInfo};
use crate::contract::Rejection;
use crate::model::call::Call;

pub use crate::contract::bindings::portcullis::hooks::session_start_facts::SessionInfo;

outcomes! {
    SessionStart {
        Reject(Rejection),
    }
}

/// The point `session-start`.
#[derive(Debug, Clone, Copy)]
pub struct SessionStart;

impl Point for SessionStart {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "session info",
        outcomes: OUTCOMES,
        order: Order::Forward,
        failure: FailureRule::Refuses,
    };

    type Input = SessionInfo;
    type Outcome = Outcome;
    type Subject = SessionInfo;
    type Value = Never;
    type Rejection = Rejection;
    type Answer = Never;
    type Ask = Never;
    type Stop = Never;
    type Contribution = Never;

    fn input(subject: &SessionInfo) -> &SessionInfo {
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
    SessionStart: session_start_facts, SessionInfo {
        provider: String,
        model: String,
        tools: u32,
    }
}

answers! {
    SessionStart: session_start_answer {
        reject(code: String, reason: String, details: Option<String>) => Action::Reject(Rejection { code, reason, details });
    }
}
