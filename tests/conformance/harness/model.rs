//! The responses of the scripted model.

use serde_json::{Value, json};

/// Returns a response with this text.
pub fn says(text: &str) -> Value {
    json!({ "text": text })
}

/// Returns a response that calls `echo` with this text. The call's id is `c1`.
pub fn calls(text: &str) -> Value {
    calls_all(&[("echo", text)])
}

/// Returns a response that calls these tools with these texts. The calls' ids are `c1`, `c2`, …
pub fn calls_all(tools: &[(&str, &str)]) -> Value {
    let calls: Vec<Value> = tools
        .iter()
        .enumerate()
        .map(|(index, (name, text))| call(index + 1, name, json!({ "text": text })))
        .collect();
    json!({ "tool_calls": calls })
}

/// Returns a response that hands a task to the sub-agent of this name.
pub fn hands(agent: &str, task: &str) -> Value {
    json!({ "tool_calls": [call(1, agent, json!({ "task": task }))] })
}

fn call(number: usize, name: &str, arguments: Value) -> Value {
    json!({ "id": format!("c{number}"), "name": name, "arguments": arguments })
}

/// Returns a failure.
pub fn fails(kind: &str) -> Value {
    json!({ "error": { "kind": kind } })
}

/// Returns a response with this text, and a usage above the room of a row with
/// [little](super::Row::little_room).
pub fn says_at_length(text: &str) -> Value {
    let usage = json!({ "input_tokens": 400, "output_tokens": 10 });
    json!({ "text": text, "thinking": "and so on ".repeat(20), "usage": usage })
}
