//! Asking a person.

use futures::future::BoxFuture;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::contract::{AskRequest, Context};
use crate::model::hook::HookId;
use crate::model::points::PointId;

/// What a person is asked.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The hook that asks.
    pub hook: &'a HookId,
    /// The point it asks at.
    pub point: PointId,
    /// Where in the agent's life.
    pub context: &'a Context,
    /// Its question.
    pub request: &'a AskRequest,
    /// What would go ahead, as the whole chain left it: the arguments of a tool call, the text of a JSON
    /// object. [`ApprovalDecision::Edit`] takes the same form.
    pub value: &'a str,
}

/// A decision on a question. In JSON: `"approve"`, `{"deny": "the reason"}`, `{"unanswered": "the reason"}`,
/// `{"edit": "{\"path\": \"b\"}"}` or `"defer"`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ApprovalDecision {
    /// Go ahead.
    Approve,
    /// Do not, for this reason.
    Deny(String),
    /// Nobody decided, for this reason. The operation is refused, and the journal does not call it a denial.
    Unanswered(String),
    /// Go ahead with this value instead, in the form of [`Question::value`]. The whole chain sees it before it is used.
    Edit(String),
    /// Not now: the decision comes later, by [`Session::answer`](crate::Session::answer).
    Defer,
}

/// Whoever puts questions to a person: a terminal, a chat, a ticket.
pub trait Approver: Send + Sync {
    /// Puts a question and waits for the decision.
    fn ask<'a>(&'a self, question: Question<'a>) -> BoxFuture<'a, ApprovalDecision>;
}

/// Leaves every question to later: the turn is suspended, and the decision comes with its
/// resumption.
#[derive(Debug, Clone, Copy, Default)]
pub struct DeferAll;

impl Approver for DeferAll {
    fn ask<'a>(&'a self, _: Question<'a>) -> BoxFuture<'a, ApprovalDecision> {
        Box::pin(std::future::ready(ApprovalDecision::Defer))
    }
}

/// The approver of a host that has none: nobody can say yes, so the answer is no.
#[derive(Debug, Clone, Copy, Default)]
pub struct DenyAll;

impl Approver for DenyAll {
    fn ask<'a>(&'a self, _: Question<'a>) -> BoxFuture<'a, ApprovalDecision> {
        Box::pin(std::future::ready(ApprovalDecision::Unanswered(
            "there is nobody to ask".into(),
        )))
    }
}
