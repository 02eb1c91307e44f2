//! The hooks' decision about an event, independent of the dialect.

use serde_json::Value;

/// The hooks' decision about an event.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Verdict {
    /// The agent continues.
    Passed,
    /// The agent does not perform the operation.
    Refused(String),
    /// The model gets this context too.
    Context(String),
    /// A tool runs with this input.
    ChangedInput(Value),
    /// A person must agree first; the tool then runs with this input, if it was changed.
    Asked {
        question: String,
        input: Option<Value>,
    },
    /// The model gets this output of a tool, or the user sees this text.
    ChangedOutput(String),
    /// The output is withheld.
    Withheld(String),
    /// The turn does not end: the model gets this message.
    KeepGoing(String),
    /// The agent's loop ends.
    Halt(String),
    /// The user sees this message.
    Note(String),
    /// The summary of a compaction is to follow these instructions.
    Instructions(String),
    /// The model is called with these changes of the request.
    ChangedRequest(Value),
    /// The model is not called, and this is its response.
    Response(String),
}

impl Verdict {
    /// Returns the verdict's text, for an answer that has no better place for it.
    pub(crate) fn text(self) -> String {
        match self {
            Self::Passed => String::new(),
            Self::Refused(text)
            | Self::Context(text)
            | Self::ChangedOutput(text)
            | Self::Withheld(text)
            | Self::KeepGoing(text)
            | Self::Halt(text)
            | Self::Note(text)
            | Self::Instructions(text)
            | Self::Response(text) => text,
            Self::Asked { question, .. } => question,
            Self::ChangedInput(value) | Self::ChangedRequest(value) => {
                crate::text::line(&value.to_string())
            }
        }
    }
}
