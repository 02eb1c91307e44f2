//! A record's facts about the views, counted from the views: a generated input, or one left out in
//! a case, then fits the views of the hook.

use portcullis::Views;
use portcullis::contract::ContentPart;
use serde_json::{Map, Value};

/// Puts the counts of the views into the fields that tell of them.
pub(crate) fn facts(input: &mut Value, views: &Views) {
    let Value::Object(record) = input else {
        return;
    };
    let text: usize = views.content.iter().map(text_bytes).sum();
    let prompt = &views.prompt;
    for (field, count) in [
        ("text-bytes", text),
        ("task-bytes", text),
        ("summary-bytes", text),
        ("bytes", text),
        ("parts", views.content.len()),
        ("messages", views.conversation.len()),
        ("tools", views.tools.len()),
        ("arguments-bytes", views.tool_arguments.len()),
        ("policies", prompt.policies.len()),
        ("items", prompt.items.len()),
        ("sections", prompt.sections.len()),
        ("bundles", prompt.bundles.len()),
    ] {
        set(record, field, count);
    }
    // A tool's output is a view of its own, a sub-agent's the content.
    let output = views.tool_output.as_deref().map_or(text, str::len);
    set(record, "output-bytes", output);
    // Where a plan says how many queries there are, and not which.
    if record.get("queries").is_some_and(Value::is_number) {
        set(record, "queries", prompt.queries.len());
    }
    if record.contains_key("tool-calls") {
        tool_calls(record, &views.content);
    }
    if record.contains_key("call-id")
        && let Some(tool) = views.tools.names().next()
        && let Some(name) = record.get_mut("name")
    {
        *name = tool.into();
    }
}

fn set(record: &mut Map<String, Value>, field: &str, count: usize) {
    if let Some(value) = record.get_mut(field)
        && value.is_number()
    {
        // The records count in 32 bits.
        *value = u32::try_from(count).unwrap_or(u32::MAX).into();
    }
}

/// A response's record names the tools, a step's says how many there are.
fn tool_calls(record: &mut Map<String, Value>, content: &[ContentPart]) {
    let names: Vec<Value> = content
        .iter()
        .filter_map(|part| match part {
            ContentPart::ToolCall(call) => Some(call.name.as_str().into()),
            _ => None,
        })
        .collect();
    match record.get_mut("tool-calls") {
        Some(list @ Value::Array(_)) => *list = names.into(),
        _ => set(record, "tool-calls", names.len()),
    }
}

fn text_bytes(part: &ContentPart) -> usize {
    match part {
        ContentPart::Text(text) => text.len(),
        _ => 0,
    }
}
