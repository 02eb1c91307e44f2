//! The conversation grows.

use std::sync::Arc;

use portcullis::contract::{ContentPart, Message, Role};
use portcullis::points::MessageAdded;
use portcullis::points::message_added::AddedMessage;

use super::running::{Running, count};
use crate::error::TurnError;
use crate::events::AgentEvent;

impl Running {
    /// Adds a message, tells of it, and says where it is.
    pub(super) async fn add(
        &mut self,
        role: Role,
        content: Vec<ContentPart>,
    ) -> Result<usize, TurnError> {
        let messages = Arc::make_mut(&mut self.conversation);
        messages.push(Message { role, content });
        let index = messages.len() - 1;
        self.added(index).await?;
        Ok(index)
    }

    /// Tells of a message that is there now.
    pub(super) async fn added(&self, index: usize) -> Result<(), TurnError> {
        let Some(message) = self.conversation.get(index) else {
            return Ok(());
        };
        self.emit(|| AgentEvent::MessageAdded {
            index,
            role: role_name(message.role),
        });
        if !self.hooks.serves::<MessageAdded>() {
            return Ok(());
        }
        let added = AddedMessage {
            index: count(index),
            role: message.role,
            parts: count(message.content.len()),
            text_bytes: count(message.content.iter().map(text_bytes).sum()),
        };
        let content = Arc::new(message.content.clone());
        let conversation = self.conversation.clone();
        self.hear::<MessageAdded>(added, |views| {
            views.content = content;
            views.conversation = conversation;
        })
        .await
    }
}

fn text_bytes(part: &ContentPart) -> usize {
    match part {
        ContentPart::Text(text) => text.len(),
        ContentPart::ToolResult(result) => result.content.len(),
        _ => 0,
    }
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
    }
}
