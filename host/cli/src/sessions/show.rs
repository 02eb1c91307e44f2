//! A conversation, for people.

use anyhow::Context as _;
use portcullis::contract::{ContentPart, Message, Role};
use portcullis_store::SessionRow;
use serde_json::Value;

use super::turns;
use crate::terminal::format::print_line;
use crate::terminal::style::{BOLD, DIM};
use crate::terminal::{Out, Printable, json};

/// Prints a session.
pub fn show(session: &SessionRow, as_json: bool) -> anyhow::Result<()> {
    if as_json {
        return json::document(session);
    }
    let conversation = session
        .data
        .as_ref()
        .and_then(|data| data.get("conversation"));
    let messages = conversation.cloned().unwrap_or(Value::Array(Vec::new()));
    let messages: Vec<Message> =
        serde_json::from_value(messages).context("the session's conversation is damaged")?;
    let mut out = Out::stdout();
    for message in &messages {
        let role = match message.role {
            Role::System => "system",
            Role::User => "user",
            Role::Assistant => "agent",
            Role::Tool => "tool",
        };
        for part in &message.content {
            let text = match part {
                ContentPart::Text(text) => text.clone(),
                ContentPart::Thinking(_) => continue,
                ContentPart::Image(_) => "[an image]".to_owned(),
                ContentPart::ToolCall(call) => format!("[calls {} {}]", call.name, call.arguments),
                ContentPart::ToolResult(result) => result.content.clone(),
            };
            print_line!(out, "{BOLD}{}{BOLD:#}  {}", role, Printable::prose(&text))?;
        }
    }
    print_line!(
        out,
        "{DIM}session {} of {}, {}{DIM:#}",
        &session.id,
        &session.agent,
        turns(session)
    )?;
    Ok(())
}
