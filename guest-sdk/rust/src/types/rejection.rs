//! Making refusals and questions.

use super::{AskRequest, Rejection};

impl Rejection {
    /// A refusal with a short, stable code for programs, such as `over-budget`, and a reason for
    /// the person or the model that is refused.
    pub fn new(code: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            reason: reason.into(),
            details: None,
        }
    }

    /// Adds details for programs, as JSON text.
    #[must_use]
    pub fn with_details(mut self, json: impl Into<String>) -> Self {
        self.details = Some(json.into());
        self
    }
}

impl AskRequest {
    /// A question for a person, in one sentence.
    pub fn new(question: impl Into<String>) -> Self {
        Self {
            question: question.into(),
            details: None,
        }
    }

    /// Adds what the person should know to answer it.
    #[must_use]
    pub fn with_details(mut self, details: impl Into<String>) -> Self {
        self.details = Some(details.into());
        self
    }
}
