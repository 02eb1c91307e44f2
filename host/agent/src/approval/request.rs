//! A question that can be asked after its call.

use portcullis::approval::Question;
use portcullis::points::PointId;
use schemars::JsonSchema;
use serde::Serialize;

/// A hook's question, with the operation that it is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ApprovalRequest {
    /// The session.
    pub session_id: String,
    /// The agent, which may be a sub-agent.
    pub agent: String,
    /// The turn, counted from 1.
    pub turn: u32,
    /// The step within the turn, counted from 1.
    pub step: u32,
    /// The hook that asks.
    pub hook: String,
    /// The point at which it asks.
    #[schemars(with = "String")]
    pub point: PointId,
    /// The question, in one sentence.
    pub question: String,
    /// The hook's details about the question.
    pub details: Option<String>,
    /// The arguments of the call if it is approved, after the whole chain has run: JSON object
    /// text.
    pub value: String,
}

impl From<Question<'_>> for ApprovalRequest {
    fn from(question: Question<'_>) -> Self {
        Self {
            session_id: question.context.session_id.clone(),
            agent: question.context.agent.clone(),
            turn: question.context.turn,
            step: question.context.step,
            hook: question.hook.to_string(),
            point: question.point,
            question: question.request.question.clone(),
            details: question.request.details.clone(),
            value: question.value.to_owned(),
        }
    }
}
