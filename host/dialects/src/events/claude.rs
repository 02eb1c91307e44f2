//! The events of Claude Code.

use super::{EventInfo, Family, event, passed};

/// The events of Claude Code 2.1.330, in the order of the Claude Agent SDK.
pub(crate) const EVENTS: &[EventInfo] = &[
    event(
        "PreToolUse",
        Family::BeforeTool,
        "refuse the call, change its input, have the user asked",
        "give the result: an answer is a refusal that has the answer's text",
    ),
    event(
        "PostToolUse",
        Family::AfterTool,
        "change or withhold the output",
        "withhold an output of a form that is not known: the turn ends",
    ),
    event(
        "PostToolUseFailure",
        Family::ToolFailure,
        "add a changed text as context; a refusal ends the turn",
        "change the error: the model sees it too",
    ),
    event("PostToolBatch", Family::Batch, "end the turn", ""),
    passed("Notification"),
    event(
        "UserPromptSubmit",
        Family::Prompt,
        "refuse the prompt, answer it, add context",
        "change the prompt: what is added before or behind it is context, any other change is a refusal that \
         shows the new text",
    ),
    passed("UserPromptExpansion"),
    event(
        "SessionStart",
        Family::SessionStart,
        "refuse the session",
        "keep it from starting: its prompts and tool calls are refused",
    ),
    event("SessionEnd", Family::SessionEnd, "be notified", ""),
    event(
        "Stop",
        Family::Stop,
        "keep the turn going, have the answer written again",
        "change the answer, which has been shown: the user gets the changed one as a message",
    ),
    event(
        "StopFailure",
        Family::TurnError,
        "be notified",
        "give an output",
    ),
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
        "PreCompact",
        Family::BeforeCompaction,
        "refuse the compaction, give instructions for the summary",
        "keep messages",
    ),
    event("PostCompact", Family::AfterCompaction, "be notified", ""),
    passed("PreModelSwitch"),
    passed("PostModelSwitch"),
    event(
        "PermissionRequest",
        Family::Permission,
        "refuse what the user is about to be asked",
        "approve it, or change it",
    ),
    passed("PermissionDenied"),
    passed("Setup"),
    passed("TeammateIdle"),
    passed("TaskCreated"),
    passed("TaskCompleted"),
    passed("Elicitation"),
    passed("ElicitationResult"),
    passed("ConfigChange"),
    passed("WorktreeCreate"),
    passed("WorktreeRemove"),
    passed("InstructionsLoaded"),
    passed("CwdChanged"),
    passed("FileChanged"),
    passed("DirectoryAdded"),
    event(
        "MessageDisplay",
        Family::Display,
        "change or withhold what is shown",
        "change what the model and the transcript have; end the turn: the text is withheld",
    ),
];
