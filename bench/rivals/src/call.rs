//! The calls of every guard, and the expected verdicts.

use serde::{Deserialize, Serialize};

/// A tool call that a guard decides.
#[derive(Debug, Serialize)]
pub struct ToolCall {
    /// The tool's name.
    pub name: &'static str,
    /// The arguments: the text of a JSON object.
    pub arguments: &'static str,
}

/// A guard's decision.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The tool runs.
    Continue,
    /// The tool does not run.
    Reject {
        /// The code, for programs.
        code: String,
        /// The reason, for people and models.
        reason: String,
    },
}

impl Verdict {
    /// Returns the refusal with this code and reason.
    pub fn reject(code: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Reject {
            code: code.into(),
            reason: reason.into(),
        }
    }

    /// Returns the one refusal of the guard.
    pub fn no_rm() -> Self {
        Self::reject("no-rm", "Nothing is deleted here.")
    }
}

/// A call that continues, of the tool that the guard checks.
pub static ALLOWED: ToolCall = ToolCall {
    name: "shell",
    arguments: r#"{"command":"cargo test --workspace","working_directory":"/srv/project","timeout_seconds":120}"#,
};

/// A call that is refused.
pub static REFUSED: ToolCall = ToolCall {
    name: "shell",
    arguments: r#"{"command":"cd build && rm -rf target","working_directory":"/srv/project","timeout_seconds":120}"#,
};

/// The refused word in the arguments of another tool: it continues.
pub static OTHER_TOOL: ToolCall = ToolCall {
    name: "write_file",
    arguments: r#"{"path":"notes/cleaning.md","content":"Never type rm -rf without reading it twice."}"#,
};

/// Returns every call, with the expected verdict.
pub fn cases() -> [(&'static ToolCall, Verdict); 3] {
    [
        (&ALLOWED, Verdict::Continue),
        (&REFUSED, Verdict::no_rm()),
        (&OTHER_TOOL, Verdict::Continue),
    ]
}
