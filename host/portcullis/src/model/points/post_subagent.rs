//! `post-subagent`: a sub-agent is done; its result is the current content.

use super::action::{Action, InvalidValue, Never, Payload, Point, count, set_content};
use super::imports::{answers, facts};
use super::outcomes::outcomes;
use super::{FailureRule, Listed as _, Order, PointInfo};
use crate::contract::{ContentPart, Usage};
use crate::model::call::Call;

pub use crate::contract::bindings::portcullis::hooks::post_subagent_facts::SubagentResult;

outcomes! {
    PostSubagent {
        Transform(String),
    }
}

/// The point `post-subagent`.
#[derive(Debug, Clone, Copy)]
pub struct PostSubagent;

impl Point for PostSubagent {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "result",
        outcomes: OUTCOMES,
        order: Order::Reverse,
        failure: FailureRule::Fails,
    };

    type Input = SubagentResult;
    type Outcome = Outcome;
    type Subject = SubagentResult;
    type Value = String;
    type Rejection = Never;
    type Answer = Never;
    type Ask = Never;
    type Stop = Never;
    type Contribution = Never;

    fn call_id(subject: &SubagentResult) -> Option<&str> {
        Some(&subject.call_id)
    }

    fn input(subject: &SubagentResult) -> &SubagentResult {
        subject
    }

    fn apply(call: &mut Call<Self>, result: String) -> Result<(), InvalidValue> {
        call.subject.output_bytes = count(result.len());
        set_content(call, vec![ContentPart::Text(result)]);
        Ok(())
    }

    fn payload(call: &Call<Self>) -> Payload<'_> {
        Payload::Content(&call.views.content)
    }
}

facts! {
    PostSubagent: post_subagent_facts, SubagentResult {
        call_id: String,
        agent: String,
        session_id: Option<String>,
        is_error: bool,
        output_bytes: u32,
        steps: u32,
        usage: Usage,
        elapsed_us: u64,
    }
}

answers! {
    PostSubagent: post_subagent_answer {
        transform(text: String) => Action::Transform(text);
    }
}
