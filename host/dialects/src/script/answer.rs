//! What a command hook gave back, as an outcome.

use serde_json::{Value, json};

use super::ClaudeEvent;
use super::document::Document;

/// How a command hook ended.
#[derive(Debug, Clone, Default)]
pub struct Ended {
    /// The exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// What it wrote to the standard output.
    pub stdout: String,
    /// What it wrote to the standard error.
    pub stderr: String,
}

/// What a script hook answers.
#[derive(Debug, Clone, PartialEq)]
pub struct ScriptAnswer {
    /// The outcome, in the contract's JSON form; `None` if the hook failed.
    pub outcome: Option<Value>,
    /// What it said beside that, for the standard error: what a script hook has no place for.
    pub notes: Vec<String>,
}

/// The code of a refusal.
const CODE: &str = "claude-hook";

pub(super) fn read(document: &Document<'_>, ended: &Ended) -> ScriptAnswer {
    let mut notes = Vec::new();
    let outcome = match ended.code {
        Some(0) => said(document, ended.stdout.trim(), &mut notes),
        Some(2) => Some(blocked(document, ended.stderr.trim(), &mut notes)),
        _ => {
            notes.push(ended.stderr.trim().to_owned());
            None
        }
    };
    notes.retain(|note| !note.is_empty());
    ScriptAnswer { outcome, notes }
}

/// Exit code 2.
fn blocked(document: &Document<'_>, reason: &str, notes: &mut Vec<String>) -> Value {
    match document.event {
        ClaudeEvent::PreToolUse | ClaudeEvent::UserPromptSubmit | ClaudeEvent::PreCompact => {
            reject(reason)
        }
        ClaudeEvent::PostToolUse | ClaudeEvent::PostToolUseFailure => output_with(document, reason),
        ClaudeEvent::Stop => json!({"keep-going": reason}),
        ClaudeEvent::SubagentStop => result_with(document, reason),
        ClaudeEvent::SessionStart
        | ClaudeEvent::SessionEnd
        | ClaudeEvent::SubagentStart
        | ClaudeEvent::PostCompact => {
            notes.push(reason.to_owned());
            json!("continue")
        }
    }
}

/// Exit code 0. Text that is not JSON is context, or instructions.
fn said(document: &Document<'_>, text: &str, notes: &mut Vec<String>) -> Option<Value> {
    if text.is_empty() {
        return Some(json!("continue"));
    }
    match serde_json::from_str::<Value>(text) {
        Ok(answer @ Value::Object(_)) => Some(answered(document, &answer, notes)),
        _ if text.starts_with('{') => {
            notes.push("the answer is not JSON".into());
            None
        }
        _ => Some(match document.event {
            ClaudeEvent::UserPromptSubmit => prompt_with(document, text),
            ClaudeEvent::PreCompact => json!({"transform": {"keep": [], "instructions": text}}),
            _ => {
                notes.push(text.to_owned());
                json!("continue")
            }
        }),
    }
}

fn answered(document: &Document<'_>, answer: &Value, notes: &mut Vec<String>) -> Value {
    let text = |key: &str| answer.get(key).and_then(Value::as_str);
    let specific = answer.get("hookSpecificOutput").unwrap_or(&Value::Null);
    let own = |key: &str| specific.get(key).and_then(Value::as_str);
    notes.extend(text("systemMessage").map(str::to_owned));
    let stops = answer.get("continue") == Some(&Value::Bool(false));
    if stops {
        let reason = text("stopReason").unwrap_or("the hook ends the agent's loop");
        match document.event {
            ClaudeEvent::PreToolUse
            | ClaudeEvent::PostToolUse
            | ClaudeEvent::PostToolUseFailure
            | ClaudeEvent::UserPromptSubmit
            | ClaudeEvent::SessionStart
            | ClaudeEvent::SubagentStart
            | ClaudeEvent::PreCompact => return reject(reason),
            ClaudeEvent::Stop
            | ClaudeEvent::SubagentStop
            | ClaudeEvent::SessionEnd
            | ClaudeEvent::PostCompact => return json!("continue"),
        }
    }
    if text("decision") == Some("block") {
        return blocked(document, text("reason").unwrap_or_default(), notes);
    }
    let context = own("additionalContext");
    match document.event {
        ClaudeEvent::PreToolUse => {
            notes.extend(context.map(str::to_owned));
            let reason = own("permissionDecisionReason").unwrap_or_default();
            let input = specific
                .get("updatedInput")
                .filter(|input| input.is_object());
            match (own("permissionDecision"), input) {
                (Some("deny"), _) => reject(reason),
                (Some("ask" | "defer"), Some(_)) => reject(&format!(
                    "{reason} (the hook changes the input and has a person asked, which a script hook cannot do at once)"
                )),
                (Some("ask" | "defer"), None) => {
                    let question = match reason {
                        "" => "May the agent run this tool?",
                        reason => reason,
                    };
                    json!({"ask": {"question": question}})
                }
                (_, Some(input)) => json!({"transform": input.to_string()}),
                (_, None) => json!("continue"),
            }
        }
        ClaudeEvent::PostToolUse | ClaudeEvent::PostToolUseFailure => {
            let updated = specific.get("updatedToolOutput");
            let updated = updated.or_else(|| specific.get("updatedMCPToolOutput"));
            let updated = updated.map(|output| match output {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            });
            match (updated, context) {
                (None, None) => json!("continue"),
                (None, Some(context)) => output_with(document, context),
                (Some(output), None) => output_of(document, output),
                (Some(output), Some(context)) => {
                    output_of(document, format!("{output}\n{context}"))
                }
            }
        }
        ClaudeEvent::UserPromptSubmit => match context {
            Some(context) => prompt_with(document, context),
            None => json!("continue"),
        },
        _ => {
            notes.extend(context.map(str::to_owned));
            json!("continue")
        }
    }
}

fn reject(reason: &str) -> Value {
    let reason = match reason {
        "" => "the hook gave no reason",
        reason => reason,
    };
    json!({"reject": {"code": CODE, "reason": reason}})
}

/// The output, and this behind it.
fn output_with(document: &Document<'_>, text: &str) -> Value {
    let output = document.output().unwrap_or_default();
    output_of(document, format!("{output}\n{text}"))
}

fn output_of(document: &Document<'_>, output: String) -> Value {
    let is_error = document.event == ClaudeEvent::PostToolUseFailure;
    json!({"transform": {"content": output, "is-error": is_error}})
}

/// The prompt, and this behind it.
fn prompt_with(document: &Document<'_>, text: &str) -> Value {
    let prompt = document.text().unwrap_or_default();
    json!({"transform": [{"text": format!("{prompt}\n\n{text}")}]})
}

/// The result of a sub-agent, and this behind it.
fn result_with(document: &Document<'_>, text: &str) -> Value {
    let result = document.text().unwrap_or_default();
    json!({"transform": format!("{result}\n\n{text}")})
}
