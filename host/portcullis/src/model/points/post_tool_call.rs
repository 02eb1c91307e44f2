//! `post-tool-call`: a tool has run; arguments and output are the current tool data.

use serde::{Deserialize, Serialize};

use super::action::{Action, InvalidValue, Never, Payload, Point, count};
use super::imports::{answers, facts};
use super::outcomes::outcomes;
use super::{FailureRule, Listed as _, Order, PointInfo};
use crate::contract::Rejection;
use crate::model::call::Call;

pub use crate::contract::bindings::portcullis::hooks::post_tool_call_facts::ToolOutcome;

/// A tool's output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolOutput {
    /// The text.
    pub content: String,
    /// Whether the tool failed.
    pub is_error: bool,
}

outcomes! {
    PostToolCall {
        Transform(ToolOutput),
        Reject(Rejection),
        Replace(ToolOutput),
    }
}

/// The point `post-tool-call`.
#[derive(Debug, Clone, Copy)]
pub struct PostToolCall;

impl Point for PostToolCall {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "args, result, elapsed",
        outcomes: OUTCOMES,
        order: Order::Reverse,
        failure: FailureRule::Refuses,
    };

    type Input = ToolOutcome;
    type Outcome = Outcome;
    type Subject = ToolOutcome;
    type Value = ToolOutput;
    type Rejection = Rejection;
    type Answer = Never;
    type Ask = Never;
    type Stop = Never;
    type Contribution = Never;

    fn call_id(subject: &ToolOutcome) -> Option<&str> {
        Some(&subject.call_id)
    }

    fn input(subject: &ToolOutcome) -> &ToolOutcome {
        subject
    }

    fn apply(call: &mut Call<Self>, value: ToolOutput) -> Result<(), InvalidValue> {
        call.subject.output_bytes = count(value.content.len());
        call.subject.is_error = value.is_error;
        call.views.tool_output = Some(value.content.into());
        Ok(())
    }

    fn payload(call: &Call<Self>) -> Payload<'_> {
        Payload::Output {
            content: call.views.tool_output.as_ref(),
            is_error: call.subject.is_error,
        }
    }
}

facts! {
    PostToolCall: post_tool_call_facts, ToolOutcome {
        call_id: String,
        name: String,
        output_bytes: u32,
        is_error: bool,
        elapsed_us: u64,
    }
}

answers! {
    PostToolCall: post_tool_call_answer {
        transform(content: String, is_error: bool) => Action::Transform(ToolOutput { content, is_error });
        reject(code: String, reason: String, details: Option<String>) => Action::Reject(Rejection { code, reason, details });
        replace(content: String, is_error: bool) => Action::Replace(ToolOutput { content, is_error });
    }
}
