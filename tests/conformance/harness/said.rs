//! Messages as lines.

use portcullis::contract::{ContentPart, Message, Role};

/// Returns a message as a line.
pub fn line(message: &Message) -> String {
    let role = match message.role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
    };
    let said: String = message
        .content
        .iter()
        .map(|part| match part {
            ContentPart::Text(text) | ContentPart::Thinking(text) => text.clone(),
            ContentPart::ToolResult(result) => result.content.clone(),
            ContentPart::ToolCall(call) => format!("[{}]", call.name),
            ContentPart::Image(_) => "[image]".into(),
        })
        .collect();
    format!("{role}: {said}")
}
