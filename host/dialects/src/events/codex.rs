//! The events of Codex.

use super::{EventInfo, Family, alike, event, passed};

/// The events of Codex 0.169.0.
pub(crate) const EVENTS: &[EventInfo] = &[
    event(
        "SessionStart",
        Family::SessionStart,
        "refuse the session",
        "",
    ),
    alike::session_end("SessionEnd"),
    alike::prompt("UserPromptSubmit"),
    event(
        "PreToolUse",
        Family::BeforeTool,
        "refuse the call, change its input",
        "have the user asked: the call is refused with the question; give the result: an answer is a refusal that \
         has the answer's text",
    ),
    alike::PERMISSION_REQUEST,
    alike::after_tool("PostToolUse"),
    event(
        "PreCompact",
        Family::BeforeCompaction,
        "refuse the compaction",
        "give instructions for the summary: the user gets them as a message; keep messages",
    ),
    alike::POST_COMPACT,
    alike::SUBAGENT_START,
    alike::SUBAGENT_STOP,
    alike::stop("Stop"),
    passed("Interrupt"),
];
