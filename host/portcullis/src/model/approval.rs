//! Approval of an operation by a person.

use futures::future::BoxFuture;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::contract::{AskRequest, Context};
use crate::model::hook::HookId;
use crate::model::points::PointId;

/// A hook's question, as an approver receives it.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The hook that asks.
    pub hook: &'a HookId,
    /// The point at which the hook asks.
    pub point: PointId,
    /// The call's session, agent, turn and step.
    pub context: &'a Context,
    /// The hook's question.
    pub request: &'a AskRequest,
    /// The value that would be used, after the whole chain has run: the arguments of a tool call,
    /// as the text of a JSON object. [`ApprovalDecision::Edit`] takes the same form.
    pub value: &'a str,
}

/// A decision on a question. In JSON: `"approve"`, `{"deny": "the reason"}`,
/// `{"unanswered": "the reason"}`, `{"edit": "{\"path\": \"b\"}"}` or `"defer"`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ApprovalDecision {
    /// The operation continues.
    Approve,
    /// The operation is refused, for this reason.
    Deny(String),
    /// Nobody decided, for this reason. The operation is refused, and the journal does not record
    /// a denial.
    Unanswered(String),
    /// The operation continues with this value instead, in the form of [`Question::value`]. The
    /// whole chain sees the value before it is used.
    Edit(String),
    /// The decision comes later, through [`Session::answer`](crate::Session::answer).
    Defer,
}

/// A channel that puts questions to a person, such as a terminal, a chat or a ticket.
pub trait Approver: Send + Sync {
    /// Puts a question and waits for the decision.
    fn ask<'a>(&'a self, question: Question<'a>) -> BoxFuture<'a, ApprovalDecision>;
}

/// An approver that defers every question: the turn is suspended, and a decision resumes it.
#[derive(Debug, Clone, Copy, Default)]
pub struct DeferAll;

impl Approver for DeferAll {
    fn ask<'a>(&'a self, _: Question<'a>) -> BoxFuture<'a, ApprovalDecision> {
        Box::pin(std::future::ready(ApprovalDecision::Defer))
    }
}

/// The approver of a host without one: every question stays unanswered, so the operation is
/// refused.
#[derive(Debug, Clone, Copy, Default)]
pub struct DenyAll;

impl Approver for DenyAll {
    fn ask<'a>(&'a self, _: Question<'a>) -> BoxFuture<'a, ApprovalDecision> {
        Box::pin(std::future::ready(ApprovalDecision::Unanswered(
            "there is nobody to ask".into(),
        )))
    }
}
