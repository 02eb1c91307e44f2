//! What every guard is given, and what it must answer.

use serde::{Deserialize, Serialize};

/// A tool call that a guard decides.
#[derive(Debug, Serialize)]
pub struct ToolCall {
    /// The tool's name.
    pub name: &'static str,
    /// The arguments: the text of a JSON object.
    pub arguments: &'static str,
}

/// What a guard decides.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The tool runs.
    Continue,
    /// The tool does not run.
    Reject {
        /// For programs.
        code: String,
        /// For people and models.
        reason: String,
    },
}

impl Verdict {
    /// The refusal with this code and reason.
    pub fn reject(code: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Reject {
            code: code.into(),
            reason: reason.into(),
        }
    }

    /// The one refusal that the guard gives.
    pub fn no_rm() -> Self {
        Self::reject("no-rm", "Nothing is deleted here.")
    }
}

/// A call that continues, of the tool that the guard looks into.
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

/// Every call, and what must come of it.
pub fn cases() -> [(&'static ToolCall, Verdict); 3] {
    [
        (&ALLOWED, Verdict::Continue),
        (&REFUSED, Verdict::no_rm()),
        (&OTHER_TOOL, Verdict::Continue),
    ]
}
