//! Codex: events like those of Claude Code, and answers of fewer kinds. Codex ignores an answer with an unknown key or
//! decision, so an answer has only what the event accepts.

use serde_json::{Value, json};

use crate::answer::Answer;
use crate::event::Event;
use crate::events::Family;
use crate::text;
use crate::verdict::Verdict;

pub(crate) fn render(event: &Event, verdict: Verdict) -> Answer {
    let specific = |fields: Value| Answer::specific(event.name(), fields);
    match (event.family(), verdict) {
        (_, Verdict::Passed) => Answer::nothing(),
        (_, Verdict::Note(text)) => Answer::note(&text),
        (Family::Prompt, Verdict::Context(text)) => specific(json!({"additionalContext": text})),
        (Family::BeforeTool, Verdict::ChangedInput(input)) => specific(json!({
            // Codex ignores `updatedInput` without this decision. The decision does not approve the
            // call.
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
        ) => Answer::json(json!({"decision": "block", "reason": text::not_empty(&text)})),
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
