//! The events of Gemini CLI.

use super::{EventInfo, Family, alike, event, passed};

/// The events of Gemini CLI, as in its reference.
pub(crate) const EVENTS: &[EventInfo] = &[
    event(
        "SessionStart",
        Family::SessionStart,
        "refuse the session",
        "keep it from starting: its prompts, model calls and tool calls are refused",
    ),
    alike::session_end("SessionEnd"),
    alike::prompt("BeforeAgent"),
    alike::stop("AfterAgent"),
    event(
        "BeforeModel",
        Family::BeforeModel,
        "refuse the call, change the model, the messages and the configuration, answer in place of the model",
        "choose the tools",
    ),
    event(
        "AfterModel",
        Family::AfterModel,
        "change or withhold a chunk of the response",
        "see tool calls in it, which `BeforeTool` has",
    ),
    passed("BeforeToolSelection"),
    event(
        "BeforeTool",
        Family::BeforeTool,
        "refuse the call, change its input",
        "have the user asked: the call is refused with the question; remove an argument: the call is refused; give \
         the result: an answer is a refusal that has the answer's text",
    ),
    alike::after_tool("AfterTool"),
    event(
        "PreCompress",
        Family::BeforeCompaction,
        "be notified",
        "refuse or guide the compression: the user gets a message",
    ),
    passed("Notification"),
];
