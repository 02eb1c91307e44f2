//! The events of Codex.

use super::{EventInfo, Family, event, passed};

/// The events of Codex 0.169.0.
pub(crate) const EVENTS: &[EventInfo] = &[
    event(
        "SessionStart",
        Family::SessionStart,
        "refuse the session",
        "",
    ),
    event("SessionEnd", Family::SessionEnd, "be notified", ""),
    event(
        "UserPromptSubmit",
        Family::Prompt,
        "refuse the prompt, answer it, add context",
        "change the prompt: what is added before or behind it is context, any other change is a refusal that \
         shows the new text",
    ),
    event(
        "PreToolUse",
        Family::BeforeTool,
        "refuse the call, change its input",
        "have the user asked: the call is refused with the question; give the result: an answer is a refusal that \
         has the answer's text",
    ),
    event(
        "PermissionRequest",
        Family::Permission,
        "refuse what the user is about to be asked",
        "approve it, or change it",
    ),
    event(
        "PostToolUse",
        Family::AfterTool,
        "withhold the output, give another in its place",
        "",
    ),
    event(
        "PreCompact",
        Family::BeforeCompaction,
        "refuse the compaction",
        "give instructions for the summary: the user gets them as a message; keep messages",
    ),
    event("PostCompact", Family::AfterCompaction, "be notified", ""),
    event(
        "SubagentStart",
        Family::SubagentStart,
        "refuse the sub-agent",
        "keep it from starting, see or change its task: all of its tool calls are refused",
    ),
    event(
        "SubagentStop",
        Family::SubagentStop,
        "change the result",
        "change it by force: the sub-agent is asked to give it so, once",
    ),
    event(
        "Stop",
        Family::Stop,
        "keep the turn going, have the answer written again",
        "change the answer, which has been shown: the user gets the changed one as a message",
    ),
    passed("Interrupt"),
];
