//! `pre-subagent`: a sub-agent is about to be started; its task is the current content.

use serde::{Deserialize, Serialize};

use super::action::{Action, InvalidValue, Never, Payload, Point, count, set_content};
use super::imports::{answers, facts};
use super::outcomes::outcomes;
use super::{FailureRule, Listed as _, Order, PointInfo};
use crate::contract::{ContentPart, Rejection};
use crate::model::call::Call;

pub use crate::contract::bindings::portcullis::hooks::pre_subagent_facts::SubagentSpec;

/// An answer for the model in place of a sub-agent's own result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SubagentAnswer {
    /// The text.
    pub content: String,
    /// Whether the answer is reported to the model as a failure.
    pub is_error: bool,
}

outcomes! {
    PreSubagent {
        Transform(String),
        Reject(Rejection),
        Replace(String),
        Answer(SubagentAnswer),
    }
}

/// The point `pre-subagent`.
#[derive(Debug, Clone, Copy)]
pub struct PreSubagent;

impl Point for PreSubagent {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "spec",
        outcomes: OUTCOMES,
        order: Order::Forward,
        failure: FailureRule::Refuses,
    };

    type Input = SubagentSpec;
    type Outcome = Outcome;
    type Subject = SubagentSpec;
    type Value = String;
    type Rejection = Rejection;
    type Answer = SubagentAnswer;
    type Ask = Never;
    type Stop = Never;
    type Contribution = Never;

    fn call_id(subject: &SubagentSpec) -> Option<&str> {
        Some(&subject.call_id)
    }

    fn input(subject: &SubagentSpec) -> &SubagentSpec {
        subject
    }

    fn apply(call: &mut Call<Self>, task: String) -> Result<(), InvalidValue> {
        call.subject.task_bytes = count(task.len());
        set_content(call, vec![ContentPart::Text(task)]);
        Ok(())
    }

    fn payload(call: &Call<Self>) -> Payload<'_> {
        Payload::Content(&call.views.content)
    }
}

facts! {
    PreSubagent: pre_subagent_facts, SubagentSpec {
        call_id: String,
        agent: String,
        task_bytes: u32,
        depth: u32,
    }
}

answers! {
    PreSubagent: pre_subagent_answer {
        transform(task: String) => Action::Transform(task);
        reject(code: String, reason: String, details: Option<String>) => Action::Reject(Rejection { code, reason, details });
        replace(task: String) => Action::Replace(task);
        answer(content: String, is_error: bool) => Action::Answer(SubagentAnswer { content, is_error });
    }
}
