//! Gemini CLI.

use serde_json::{Value, json};

use crate::answer::Answer;
use crate::event::Event;
use crate::events::Family;
use crate::flow::is_last_chunk;
use crate::text;
use crate::verdict::Verdict;

pub(crate) fn render(event: &Event, verdict: Verdict) -> Answer {
    match (event.family(), verdict) {
        (_, Verdict::Passed) => Answer::nothing(),
        (Family::Prompt, Verdict::Context(text)) => {
            Answer::specific(event.name(), json!({"additionalContext": text}))
        }
        (Family::BeforeTool, Verdict::ChangedInput(input)) => match removes(event, &input) {
            false => Answer::specific(event.name(), json!({"tool_input": input})),
            true => denies(
                "[The tool was not run: a hook removes an argument, which Gemini CLI cannot do]",
            ),
        },
        (Family::BeforeTool, Verdict::Asked { question, .. }) => denies(&format!(
            "[The tool was not run: a person must agree, and Gemini CLI cannot ask one here]\n{question}"
        )),
        (Family::BeforeModel, Verdict::ChangedRequest(request)) => {
            Answer::specific(event.name(), json!({"llm_request": request}))
        }
        (Family::BeforeModel, Verdict::Response(text)) => {
            Answer::specific(event.name(), json!({"llm_response": response(&text, true)}))
        }
        (Family::AfterModel, Verdict::ChangedOutput(text)) => {
            let last = event.value("llm_response").is_ok_and(is_last_chunk);
            Answer::specific(event.name(), json!({"llm_response": response(&text, last)}))
        }
        (
            Family::SessionStart | Family::BeforeCompaction,
            Verdict::Refused(text) | Verdict::Instructions(text),
        )
        | (_, Verdict::Note(text)) => Answer::note(&text),
        (_, Verdict::Halt(text)) => Answer::halts(&text),
        (_, verdict) => denies(&verdict.text()),
    }
}

pub(crate) fn failed(event: &Event, text: String) -> Answer {
    match event.family() {
        // With exit code 2, the agent would run the turn again.
        Family::Stop => Answer::halts(&text),
        Family::SessionStart | Family::SessionEnd | Family::BeforeCompaction | Family::Unmapped => {
            Answer::note(&text)
        }
        _ => Answer::blocks(text),
    }
}

fn denies(reason: &str) -> Answer {
    Answer::json(json!({"decision": "deny", "reason": text::not_empty(reason)}))
}

/// Returns whether a hook removed an argument. Gemini CLI merges the arguments of an answer with
/// those of the model, so an argument cannot be removed.
fn removes(event: &Event, input: &Value) -> bool {
    let before = event.value("tool_input").ok().and_then(Value::as_object);
    let mut keys = before.into_iter().flat_map(|before| before.keys());
    keys.any(|key| input.get(key).is_none())
}

fn response(text: &str, last: bool) -> Value {
    let mut candidate = json!({"content": {"role": "model", "parts": [text]}});
    if let (true, Value::Object(candidate)) = (last, &mut candidate) {
        candidate.insert("finishReason".into(), "STOP".into());
    }
    json!({"candidates": [candidate]})
}
