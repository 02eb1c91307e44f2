//! Conversion of a command hook's output into an outcome.

use portcullis::json::type_of;
use portcullis::text::nearest;
use serde_json::{Value, json};

use super::ClaudeEvent;
use super::document::Document;

/// The result of a command hook.
#[derive(Debug, Clone, Default)]
pub struct Ended {
    /// The exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// The text on standard output.
    pub stdout: String,
    /// The text on standard error.
    pub stderr: String,
}

/// The answer of a script hook.
#[derive(Debug, Clone, PartialEq)]
pub struct ScriptAnswer {
    /// The outcome, in the contract's JSON form, or the reason that the hook failed. The reason quotes nothing that the
    /// hook wrote to its standard output.
    pub outcome: Result<Value, String>,
    /// Remarks for the standard error: the parts of the output that a script hook has no place for.
    pub notes: Vec<String>,
}

/// The code of a refusal.
const CODE: &str = "claude-hook";

pub(super) fn read(document: &Document<'_>, ended: &Ended) -> ScriptAnswer {
    let mut notes = Vec::new();
    let outcome = match ended.code {
        Some(0) => said(document, ended.stdout.trim(), &mut notes),
        Some(2) => Ok(blocked(document, ended.stderr.trim(), &mut notes)),
        Some(code) => Err(ended_badly(&format!("exit code {code}"), ended, &mut notes)),
        None => Err(ended_badly("a signal", ended, &mut notes)),
    };
    notes.retain(|note| !note.is_empty());
    ScriptAnswer { outcome, notes }
}

/// Returns the reason for an end that is a failure: how the command ended, and the last line of its standard error.
fn ended_badly(with: &str, ended: &Ended, notes: &mut Vec<String>) -> String {
    let stderr = ended.stderr.trim();
    notes.push(stderr.to_owned());
    match stderr.lines().next_back() {
        Some(line) => format!("it ended with {with}: {}", line.trim()),
        None => format!("it ended with {with}"),
    }
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
fn said(document: &Document<'_>, text: &str, notes: &mut Vec<String>) -> Result<Value, String> {
    if text.is_empty() {
        return Ok(json!("continue"));
    }
    match serde_json::from_str::<Value>(text) {
        Ok(answer @ Value::Object(_)) => answered(document, &answer, notes),
        Err(error) if text.starts_with('{') => Err(format!("its answer is not JSON: {error}")),
        _ => Ok(match document.event {
            ClaudeEvent::UserPromptSubmit => prompt_with(document, text),
            ClaudeEvent::PreCompact => json!({"transform": {"keep": [], "instructions": text}}),
            _ => {
                notes.push(text.to_owned());
                json!("continue")
            }
        }),
    }
}

/// Returns the outcome of an answer. The error names the part that is not known, and quotes no value: it may be data
/// that the hook was to remove.
fn answered(
    document: &Document<'_>,
    answer: &Value,
    notes: &mut Vec<String>,
) -> Result<Value, String> {
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
            | ClaudeEvent::PreCompact => return Ok(reject(reason)),
            ClaudeEvent::Stop
            | ClaudeEvent::SubagentStop
            | ClaudeEvent::SessionEnd
            | ClaudeEvent::PostCompact => return Ok(json!("continue")),
        }
    }
    let decision = word(answer, "decision", &["approve", "block"]);
    if decision == Ok(Some("block")) {
        let reason = text("reason").unwrap_or_default();
        return Ok(blocked(document, reason, notes));
    }
    let unknown = decision
        .err()
        .or_else(|| other_than(answer, "continue", Value::is_boolean, "true or false"))
        .or_else(|| other_than(answer, "hookSpecificOutput", Value::is_object, "an object"));
    let context = own("additionalContext");
    let outcome = match document.event {
        ClaudeEvent::PreToolUse => {
            notes.extend(context.map(str::to_owned));
            let reason = own("permissionDecisionReason").unwrap_or_default();
            let known = ["allow", "deny", "ask", "defer"];
            let decision = word(specific, "permissionDecision", &known)?;
            let input = specific.get("updatedInput");
            let input = input.filter(|input| !input.is_null());
            match (decision, input) {
                (Some("deny"), _) => reject(reason),
                (_, Some(input)) if !input.is_object() => {
                    return Err(format!(
                        "`updatedInput` is {}, and not an object",
                        type_of(input)
                    ));
                }
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
    };
    let Some(unknown) = unknown else {
        return Ok(outcome);
    };
    // The rest of the answer may still forbid or hide something.
    let is_output = matches!(
        document.event,
        ClaudeEvent::PostToolUse | ClaudeEvent::PostToolUseFailure
    );
    let holds = |kind: &str| outcome.get(kind).is_some();
    match holds("reject") || holds("ask") || (is_output && holds("transform")) {
        true => {
            notes.push(unknown);
            Ok(outcome)
        }
        false => Err(unknown),
    }
}

/// Returns an error message if the key's value is present and not of this type.
fn other_than(
    object: &Value,
    key: &str,
    fits: impl Fn(&Value) -> bool,
    wanted: &str,
) -> Option<String> {
    let value = object.get(key).filter(|value| !value.is_null())?;
    (!fits(value)).then(|| format!("`{key}` is {}, and not {wanted}", type_of(value)))
}

/// Returns the key's word, which must be one of these.
fn word<'a>(object: &'a Value, key: &str, known: &[&str]) -> Result<Option<&'a str>, String> {
    match object.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(word)) if known.contains(&word.as_str()) => Ok(Some(word.as_str())),
        Some(other) => {
            let near = other.as_str();
            let near = near.and_then(|word| nearest(word, known.iter().copied()));
            let hint = near.map(|near| format!("; did you mean `{near}`?"));
            Err(format!(
                "`{key}` is {}, which is none of: {}{}",
                type_of(other),
                known.join(", "),
                hint.unwrap_or_default()
            ))
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

/// Returns an outcome with the text appended to the output.
fn output_with(document: &Document<'_>, text: &str) -> Value {
    let output = document.output().unwrap_or_default();
    output_of(document, format!("{output}\n{text}"))
}

fn output_of(document: &Document<'_>, output: String) -> Value {
    let is_error = document.event == ClaudeEvent::PostToolUseFailure;
    json!({"transform": {"content": output, "is-error": is_error}})
}

/// Returns an outcome with the text appended to the prompt.
fn prompt_with(document: &Document<'_>, text: &str) -> Value {
    let prompt = document.text().unwrap_or_default();
    json!({"transform": [{"text": format!("{prompt}\n\n{text}")}]})
}

/// Returns an outcome with the text appended to the sub-agent's result.
fn result_with(document: &Document<'_>, text: &str) -> Value {
    let result = document.text().unwrap_or_default();
    json!({"transform": format!("{result}\n\n{text}")})
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::{ClaudeScript, Matcher};

    /// Returns the script hook's answer for a command's answer before a tool runs.
    fn before_a_tool(answer: &Value) -> ScriptAnswer {
        let document = json!({"point": "pre-tool-call", "input": {"name": "Bash"}});
        let ended = Ended {
            code: Some(0),
            stdout: answer.to_string(),
            stderr: String::new(),
        };
        let script = ClaudeScript::new(ClaudeEvent::PreToolUse, Matcher::All);
        script.answer(&document, &ended).unwrap()
    }

    #[test]
    fn a_decision_that_is_not_known_is_a_failure() {
        let specific = |own: Value| json!({"hookSpecificOutput": own});
        for (answer, note) in [
            (
                specific(json!({"permissionDecision": "Deny"})),
                "`permissionDecision` is a string, which is none of: allow, deny, ask, defer; did you mean `deny`?",
            ),
            (
                specific(json!({"permissionDecision": "block", "updatedInput": {}})),
                "`permissionDecision` is a string, which is none of: allow, deny, ask, defer",
            ),
            (
                specific(json!({"permissionDecision": false})),
                "`permissionDecision` is a boolean, which is none of: allow, deny, ask, defer",
            ),
            (
                specific(json!({"permissionDecision": "allow", "updatedInput": "ls"})),
                "`updatedInput` is a string, and not an object",
            ),
            (
                json!({"decision": "deny"}),
                "`decision` is a string, which is none of: approve, block",
            ),
            (
                json!({"decision": "deny", "hookSpecificOutput": {"updatedInput": {}}}),
                "`decision` is a string, which is none of: approve, block",
            ),
            (
                json!({"continue": "false"}),
                "`continue` is a string, and not true or false",
            ),
            (
                json!({"hookSpecificOutput": "deny"}),
                "`hookSpecificOutput` is a string, and not an object",
            ),
        ] {
            let read = before_a_tool(&answer);
            assert_eq!(read.outcome, Err(note.to_owned()), "{answer}");
            assert!(read.notes.is_empty(), "{answer}: {:?}", read.notes);
        }
    }

    #[test]
    fn a_failure_has_a_cause() {
        let document = json!({"point": "pre-tool-call", "input": {"name": "Bash"}});
        let script = ClaudeScript::new(ClaudeEvent::PreToolUse, Matcher::All);
        for (code, stdout, stderr, cause) in [
            (Some(1), "", "", "it ended with exit code 1"),
            (
                Some(3),
                "",
                "a\nno disk\n",
                "it ended with exit code 3: no disk",
            ),
            (None, "", "", "it ended with a signal"),
            (
                Some(0),
                "{\"DE44\": ",
                "",
                "its answer is not JSON: EOF while parsing a value at line 1 column 8",
            ),
        ] {
            let (stdout, stderr) = (stdout.to_owned(), stderr.to_owned());
            let ended = Ended {
                code,
                stdout,
                stderr,
            };
            let read = script.answer(&document, &ended).unwrap();
            assert_eq!(read.outcome, Err(cause.to_owned()), "{ended:?}");
        }
    }

    #[test]
    fn a_decision_that_is_known_or_null_is_no_failure() {
        let continues = Ok(json!("continue"));
        for own in [
            json!({"permissionDecision": "allow"}),
            json!({"permissionDecision": null, "updatedInput": null}),
        ] {
            let read = before_a_tool(&json!({"decision": "approve", "hookSpecificOutput": own}));
            assert_eq!(read.outcome, continues, "{own}");
        }
        for decision in ["deny", "ask"] {
            let own = json!({"permissionDecision": decision});
            let answer = json!({"decision": "allow", "hookSpecificOutput": own});
            let outcome = before_a_tool(&answer).outcome.expect(decision);
            assert_ne!(outcome, json!("continue"), "{answer}");
        }
        let refused = json!({"permissionDecision": "deny", "updatedInput": "ls"});
        let refused = before_a_tool(&json!({"hookSpecificOutput": refused}));
        let outcome = refused.outcome.unwrap();
        assert_eq!(outcome["reject"]["code"], CODE);
    }
}
