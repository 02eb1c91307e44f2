//! The decisions and the results that calls of suspended turns wait for.

use portcullis::approval::ApprovalDecision;
use serde::{Deserialize, Serialize};

use crate::basics::output::ToolOutput;

/// The decision or the result that a call of a suspended turn waits for.
///
/// ```
/// use std::collections::BTreeMap;
///
/// use portcullis_agent::Resolution;
///
/// let resolutions = BTreeMap::from([
///     ("call-1".to_owned(), Resolution::no("not in production")),
///     ("call-2".to_owned(), Resolution::result("the user chose the red one")),
/// ]);
/// # let _ = resolutions;
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Resolution {
    /// A person's decision.
    Decision(ApprovalDecision),
    /// The tool's result.
    Result(ToolOutput),
}

impl Resolution {
    /// Returns an approval.
    pub fn yes() -> Self {
        Self::Decision(ApprovalDecision::Approve)
    }

    /// Returns a denial. The model gets the reason.
    pub fn no(reason: impl Into<String>) -> Self {
        Self::Decision(ApprovalDecision::Deny(reason.into()))
    }

    /// Returns the resolution of a question that nobody answers. The model gets the reason.
    pub(super) fn unanswered(reason: impl Into<String>) -> Self {
        Self::Decision(ApprovalDecision::Unanswered(reason.into()))
    }

    /// Returns an approval of other arguments, a JSON object as text. All hooks see the arguments
    /// before the tool runs.
    pub fn change(arguments: impl Into<String>) -> Self {
        Self::Decision(ApprovalDecision::Edit(arguments.into()))
    }

    /// Returns whether the call may run.
    pub(crate) fn approves(&self) -> bool {
        let Self::Decision(decision) = self else {
            return false;
        };
        matches!(
            decision,
            ApprovalDecision::Approve | ApprovalDecision::Edit(_)
        )
    }

    /// Returns an output of the client's tool.
    pub fn result(content: impl Into<String>) -> Self {
        Self::Result(ToolOutput::ok(content))
    }
}
