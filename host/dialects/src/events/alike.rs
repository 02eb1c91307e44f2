//! Events at which hooks have the same abilities in several dialects.

use super::{EventInfo, Family, event};

/// Returns the event of a session's end.
pub(super) const fn session_end(name: &'static str) -> EventInfo {
    event(name, Family::SessionEnd, "be notified", "")
}

/// Returns the event of a user's prompt.
pub(super) const fn prompt(name: &'static str) -> EventInfo {
    event(
        name,
        Family::Prompt,
        "refuse the prompt, answer it, add context",
        "change the prompt: what is added before or behind it is context, any other change is a refusal that \
         shows the new text",
    )
}

/// Returns the event of a tool's output, which can be replaced as a whole.
pub(super) const fn after_tool(name: &'static str) -> EventInfo {
    event(
        name,
        Family::AfterTool,
        "withhold the output, give another in its place",
        "",
    )
}

/// Returns the event of a turn's end.
pub(super) const fn stop(name: &'static str) -> EventInfo {
    event(
        name,
        Family::Stop,
        "keep the turn going, have the answer written again",
        "change the answer, which has been shown: the user gets the changed one as a message",
    )
}

/// The user is about to be asked whether a tool may run.
pub(super) const PERMISSION_REQUEST: EventInfo = event(
    "PermissionRequest",
    Family::Permission,
    "refuse what the user is about to be asked",
    "approve it, or change it",
);

/// A sub-agent starts.
pub(super) const SUBAGENT_START: EventInfo = event(
    "SubagentStart",
    Family::SubagentStart,
    "refuse the sub-agent",
    "keep it from starting, see or change its task: all of its tool calls are refused",
);

/// A sub-agent ends.
pub(super) const SUBAGENT_STOP: EventInfo = event(
    "SubagentStop",
    Family::SubagentStop,
    "change the result",
    "change it by force: the sub-agent is asked to give it so, once",
);

/// A compaction has ended.
pub(super) const POST_COMPACT: EventInfo =
    event("PostCompact", Family::AfterCompaction, "be notified", "");
