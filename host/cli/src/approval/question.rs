//! A question that outlives the call it is asked in.

use portcullis::Question;

use crate::activity::plain;

/// A question.
#[derive(Debug, Clone)]
pub struct Asking {
    /// The hook that asks.
    pub hook: String,
    /// What it asks.
    pub question: String,
    /// The value that would go ahead, as the whole chain left it.
    pub value: String,
}

impl From<Question<'_>> for Asking {
    fn from(question: Question<'_>) -> Self {
        Self {
            hook: question.hook.to_string(),
            question: question.request.question.clone(),
            value: plain(question.value),
        }
    }
}
