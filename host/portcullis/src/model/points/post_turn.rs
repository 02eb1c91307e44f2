//! `post-turn`: a turn is done; its output is the current content.

use super::action::{Action, InvalidValue, Never, Payload, Point, set_content, text_bytes};
use super::imports::{answers, contributions, facts};
use super::outcomes::outcomes;
use super::{FailureRule, Listed as _, Order, PointInfo};
use crate::contract::{AuditNote, BackgroundJob, ContentPart, Rejection, StopReason, Usage};
use crate::model::call::Call;

pub use crate::contract::bindings::portcullis::hooks::post_turn_facts::TurnOutput;

contributions! { Note(AuditNote), Job(BackgroundJob) }

outcomes! {
    PostTurn {
        Transform(Vec<ContentPart>),
        Reject(Rejection),
        Replace(Vec<ContentPart>),
        Contribute(Vec<Contribution>),
    }
}

/// The point `post-turn`.
#[derive(Debug, Clone, Copy)]
pub struct PostTurn;

impl Point for PostTurn {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "turn output",
        outcomes: OUTCOMES,
        order: Order::Reverse,
        failure: FailureRule::Refuses,
    };

    type Input = TurnOutput;
    type Outcome = Outcome;
    type Subject = TurnOutput;
    type Value = Vec<ContentPart>;
    type Rejection = Rejection;
    type Answer = Never;
    type Ask = Never;
    type Stop = Never;
    type Contribution = Contribution;

    fn input(subject: &TurnOutput) -> &TurnOutput {
        subject
    }

    fn apply(call: &mut Call<Self>, value: Vec<ContentPart>) -> Result<(), InvalidValue> {
        call.subject.text_bytes = text_bytes(&value);
        set_content(call, value);
        Ok(())
    }

    fn payload(call: &Call<Self>) -> Payload<'_> {
        Payload::Content(&call.views.content)
    }
}

facts! {
    PostTurn: post_turn_facts, TurnOutput {
        text_bytes: u32,
        steps: u32,
        stop: StopReason,
        usage: Usage,
        elapsed_us: u64,
    }
}

answers! {
    PostTurn: post_turn_answer {
        transform(content: Vec<ContentPart>) => Action::Transform(content);
        reject(code: String, reason: String, details: Option<String>) => Action::Reject(Rejection { code, reason, details });
        replace(content: Vec<ContentPart>) => Action::Replace(content);
    } contributes {
        add_note(code: String, data: String) => Contribution::Note(AuditNote { code, data });
        add_job(name: String, input: String) => Contribution::Job(BackgroundJob { name, input });
    }
}
