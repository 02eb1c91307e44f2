//! What the scripted model says.

use serde_json::{Value, json};

/// It says this.
pub fn says(text: &str) -> Value {
    json!({ "text": text })
}

/// It calls `echo` with this text. The call's id is `c1`.
pub fn calls(text: &str) -> Value {
    calls_all(&[("echo", text)])
}

/// It calls these tools with these texts. The calls' ids are `c1`, `c2`, …
pub fn calls_all(tools: &[(&str, &str)]) -> Value {
    let calls: Vec<Value> = tools
        .iter()
        .enumerate()
        .map(|(index, (name, text))| call(index + 1, name, json!({ "text": text })))
        .collect();
    json!({ "tool_calls": calls })
}

/// It hands a task to the sub-agent of this name.
pub fn hands(agent: &str, task: &str) -> Value {
    json!({ "tool_calls": [call(1, agent, json!({ "task": task }))] })
}

fn call(number: usize, name: &str, arguments: Value) -> Value {
    json!({ "id": format!("c{number}"), "name": name, "arguments": arguments })
}

/// It fails.
pub fn fails(kind: &str) -> Value {
    json!({ "error": { "kind": kind } })
}

/// It says this, after more than there is room for where there is [little](super::Row::little_room).
pub fn says_at_length(text: &str) -> Value {
    let usage = json!({ "input_tokens": 400, "output_tokens": 10 });
    json!({ "text": text, "thinking": "and so on ".repeat(20), "usage": usage })
}
