//! A question that outlives the call it is asked in.

use portcullis::approval::Question;
use portcullis::points::PointId;

/// A question.
#[derive(Debug, Clone)]
pub struct Asking {
    /// The hook that asks.
    pub hook: String,
    /// The point at which it asks.
    pub point: PointId,
    /// What it asks.
    pub question: String,
    /// The arguments that would go ahead, as the whole chain left them.
    pub value: String,
}

impl From<Question<'_>> for Asking {
    fn from(question: Question<'_>) -> Self {
        Self {
            hook: question.hook.to_string(),
            point: question.point,
            question: question.request.question.clone(),
            value: question.value.to_owned(),
        }
    }
}
