//! A record's facts about the views, counted from the views. A generated input, or one that a case
//! leaves out, then fits the views of the hook.

use portcullis::Views;
use portcullis::contract::ContentPart;
use serde_json::{Map, Value};

/// Writes the counts of the views to the fields about them.
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
    // A tool's output is a separate view; a sub-agent's output is the content.
    let output = views.tool_output.as_deref().map_or(text, str::len);
    set(record, "output-bytes", output);
    // Some records contain the number of queries, and others the queries.
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
        // Numbers in records have 32 bits.
        *value = u32::try_from(count).unwrap_or(u32::MAX).into();
    }
}

/// Writes the tool calls: a response's record has their names, and a step's has their number.
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
