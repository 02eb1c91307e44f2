//! The requests of a program.

use portcullis::approval::ApprovalDecision;
use schemars::JsonSchema;
use serde::Deserialize;

/// One line of the standard input.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(
    tag = "type",
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case",
    deny_unknown_fields
)]
pub enum Request {
    /// A user message: a turn. During another turn it waits for that turn's end.
    Input {
        /// The text.
        text: String,
    },
    /// A user message to the running turn. The turn reads it at its next checkpoint.
    Steer {
        /// The text.
        text: String,
    },
    /// The answer to a question.
    Approval {
        /// The id of the question: the `id` of `approval-asked`, or the `call-id` of a call of `turn-waits`.
        id: String,
        /// The decision. A call of a suspended turn cannot be deferred again.
        decision: ApprovalDecision,
    },
    /// The result of a tool that the client runs: of a call of `turn-waits`.
    ToolResult {
        /// The id of the call.
        call_id: String,
        /// The text for the model.
        content: String,
        /// Whether it is an error.
        #[serde(default)]
        is_error: bool,
    },
    /// Cancels the running turn.
    Cancel,
    /// Ends the session once the inputs before it are done. The end of the standard input does so
    /// too, but also denies all open questions.
    End,
}
