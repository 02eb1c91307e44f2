//! Claude Code, and agents of the Claude Agent SDK.

mod output;

use serde_json::{Value, json};

use output::with_text;

use crate::answer::Answer;
use crate::event::Event;
use crate::events::Family;
use crate::verdict::Verdict;

pub(crate) fn render(event: &Event, verdict: Verdict) -> Answer {
    let specific = |fields: Value| Answer::specific(event.name(), fields);
    match (event.family(), verdict) {
        (_, Verdict::Passed) => Answer::nothing(),
        (_, Verdict::Note(text)) => Answer::note(&text),
        (_, Verdict::Halt(text)) => Answer::halts(&text),
        (Family::Prompt, Verdict::Context(text)) => specific(json!({"additionalContext": text})),
        (Family::Prompt, Verdict::Refused(text)) => decides("block", &text),
        (Family::BeforeTool, Verdict::Refused(text)) => specific(json!({
            "permissionDecision": "deny", "permissionDecisionReason": text,
        })),
        // Without a decision, the agent's own permissions apply to the changed input.
        (Family::BeforeTool, Verdict::ChangedInput(input)) => {
            specific(json!({"updatedInput": input}))
        }
        (Family::BeforeTool, Verdict::Asked { question, input }) => {
            let mut fields = json!({
                "permissionDecision": "ask", "permissionDecisionReason": question,
            });
            if let (Some(input), Value::Object(fields)) = (input, &mut fields) {
                fields.insert("updatedInput".into(), input);
            }
            specific(fields)
        }
        (Family::Permission, Verdict::Refused(text)) => {
            specific(json!({"decision": {"behavior": "deny", "message": text}}))
        }
        (Family::AfterTool, Verdict::ChangedOutput(text)) => {
            let changed = original(event).and_then(|output| output::changed(output, &text));
            match changed {
                Some(output) => specific(json!({"updatedToolOutput": output})),
                None => Answer::halts(
                    "[A hook changed the tool's output, which has a form that Portcullis cannot write]",
                ),
            }
        }
        (Family::AfterTool, Verdict::Withheld(text)) => withheld(event, &text),
        (Family::ToolFailure, Verdict::ChangedOutput(text)) => {
            specific(json!({"additionalContext": text}))
        }
        (Family::ToolFailure, Verdict::Withheld(text)) => Answer::halts(&text),
        (Family::Stop | Family::SubagentStop, Verdict::KeepGoing(text)) => decides("block", &text),
        (Family::BeforeCompaction, Verdict::Instructions(text)) => Answer::text(text),
        (Family::Display, Verdict::ChangedOutput(text) | Verdict::Withheld(text)) => {
            specific(json!({"displayContent": crate::text::prose(&text)}))
        }
        (Family::SessionStart, Verdict::Refused(text)) => Answer::halts(&text),
        (Family::SubagentStart, Verdict::Refused(text)) => {
            specific(json!({"additionalContext": text}))
        }
        (_, verdict) => Answer::blocks(verdict.text()),
    }
}

pub(crate) fn failed(event: &Event, text: String) -> Answer {
    match event.family() {
        // With exit code 2, the turn would continue.
        Family::Stop | Family::SubagentStop | Family::Batch | Family::ToolFailure => {
            Answer::halts(&text)
        }
        Family::AfterTool => withheld(event, &text),
        // The exit codes of a permission request do not block.
        Family::Permission => render(event, Verdict::Refused(text)),
        Family::Display => render(event, Verdict::Withheld(text)),
        _ => Answer::blocks(text),
    }
}

fn original(event: &Event) -> Option<&Value> {
    event.value("tool_response").ok()
}

/// Replaces a tool's output by the reason. Claude Code ignores a replacement in another form than the output's, so the
/// turn ends if the form is not known.
fn withheld(event: &Event, text: &str) -> Answer {
    match original(event).and_then(|output| with_text(output, text)) {
        Some(output) => Answer::specific(event.name(), json!({"updatedToolOutput": output})),
        None => Answer::halts(text),
    }
}

fn decides(decision: &str, reason: &str) -> Answer {
    Answer::json(json!({"decision": decision, "reason": reason}))
}
