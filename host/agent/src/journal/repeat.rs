//! The decision whether a tool that may have run is run again.

use portcullis::verdict::Approval;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The decision whether a tool is run again, whose process died while it ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct RepeatDecision {
    /// The decision. The tool runs again only if it is `approved`.
    #[schemars(with = "String")]
    pub approval: Approval,
    /// The reason for another decision. A journal that keeps no values does not keep it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl RepeatDecision {
    /// Returns the decision as a sentence about a tool.
    pub fn words(&self, tool: &str) -> String {
        let decided = match self.approval {
            Approval::Approved => return format!("a person let `{tool}` run again"),
            Approval::Denied | Approval::Changed => {
                format!("a person did not let `{tool}` run again")
            }
            Approval::Unanswered => {
                format!("`{tool}` was not run again, because nobody decided")
            }
        };
        match &self.reason {
            Some(reason) => format!("{decided}: {reason}"),
            None => decided,
        }
    }
}
