//! Codex: events like those of Claude Code, and answers in fewer shapes. Codex ignores an answer that has a key or a
//! decision more than it knows, so that each answer has only what its event takes.

use serde_json::{Value, json};

use crate::answer::Answer;
use crate::event::Event;
use crate::family::{EventInfo, Family};
use crate::verdict::Verdict;

const fn event(
    name: &'static str,
    family: Family,
    does: &'static str,
    cannot: &'static str,
) -> EventInfo {
    EventInfo {
        name,
        family,
        does,
        cannot,
    }
}

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
    event("Interrupt", Family::Unmapped, "", ""),
];

pub(crate) fn render(event: &Event, verdict: Verdict) -> Answer {
    let specific = |fields: Value| Answer::specific(event.name(), fields);
    match (event.family(), verdict) {
        (_, Verdict::Passed) => Answer::nothing(),
        (_, Verdict::Note(text)) => Answer::note(&text),
        (Family::Prompt, Verdict::Context(text)) => specific(json!({"additionalContext": text})),
        (Family::BeforeTool, Verdict::ChangedInput(input)) => specific(json!({
            // Without it, the input is not taken. It does not approve the call.
            "permissionDecision": "allow", "updatedInput": input,
        })),
        (Family::BeforeTool, Verdict::Refused(text)) => deny(event, &text),
        (Family::BeforeTool, Verdict::Asked { question, .. }) => deny(
            event,
            &format!(
                "[The tool was not run: a person must agree, and Codex cannot ask one here]\n{question}"
            ),
        ),
        (Family::Permission, Verdict::Refused(text)) => {
            specific(json!({"decision": {"behavior": "deny", "message": text}}))
        }
        (
            Family::Prompt | Family::AfterTool | Family::Stop | Family::SubagentStop,
            Verdict::Refused(text)
            | Verdict::ChangedOutput(text)
            | Verdict::Withheld(text)
            | Verdict::KeepGoing(text),
        ) => Answer::json(json!({"decision": "block", "reason": some(text)})),
        (Family::SubagentStart, Verdict::Refused(text)) => {
            specific(json!({"additionalContext": text}))
        }
        (Family::BeforeCompaction, Verdict::Instructions(text)) => Answer::note(&format!(
            "[Hooks ask for a summary that follows these instructions, which Codex cannot be given:]\n{text}"
        )),
        (_, verdict) => Answer::halts(&verdict.text()),
    }
}

pub(crate) fn failed(event: &Event, text: String) -> Answer {
    match event.family() {
        Family::BeforeTool | Family::Prompt | Family::AfterTool => Answer::blocks(text),
        Family::Permission => render(event, Verdict::Refused(text)),
        Family::Unmapped | Family::SessionEnd => Answer::note(&text),
        _ => Answer::halts(&text),
    }
}

fn deny(event: &Event, reason: &str) -> Answer {
    let fields = json!({"permissionDecision": "deny", "permissionDecisionReason": reason});
    Answer::specific(event.name(), fields)
}

/// A reason that is not empty: Codex ignores a block without one.
fn some(reason: String) -> String {
    match reason.trim().is_empty() {
        true => "[The text is empty]".into(),
        false => reason,
    }
}
