//! Adding messages to the conversation, and the `message-added` hooks.

use std::sync::Arc;

use portcullis::contract::{ContentPart, Role};
use portcullis::points::MessageAdded;
use portcullis::points::message_added::AddedMessage;

use crate::basics::units::count;
use crate::events::{AgentEvent, SteeringCheckpoint};
use crate::exchange::TurnError;
use crate::session::state::SessionState;

impl SessionState {
    /// Adds a message and returns its index.
    pub(crate) async fn add_message(
        &mut self,
        role: Role,
        content: Vec<ContentPart>,
    ) -> Result<usize, TurnError> {
        let index = self.conversation.push(role, content);
        self.message_added(index).await?;
        Ok(index)
    }

    /// Adds the turn's output.
    pub(crate) async fn add_output(&mut self, content: Vec<ContentPart>) -> Result<(), TurnError> {
        if !content.is_empty() {
            let at = self.add_message(Role::Assistant, content).await?;
            self.conversation.set_output(Some(at));
        }
        Ok(())
    }

    /// Adds the user messages sent during the turn. Returns whether there were any.
    pub(crate) async fn steer(
        &mut self,
        checkpoint: SteeringCheckpoint,
    ) -> Result<bool, TurnError> {
        let reading = async { self.steering.take() };
        let said = self.effect(|| "steering".into(), reading).await;
        let any = !said.is_empty();
        for text in said {
            self.emit(|| AgentEvent::Steered {
                checkpoint,
                text: text.clone(),
            });
            self.add_message(Role::User, vec![ContentPart::Text(text)])
                .await?;
        }
        Ok(any)
    }

    /// Returns whether there are user messages that the turn has not read.
    pub(crate) async fn is_steered(&self) -> bool {
        let looking = async { self.steering.is_waiting() };
        self.effect(|| "steering?".into(), looking).await
    }

    /// Reports a message that is already in the conversation.
    pub(crate) async fn message_added(&self, index: usize) -> Result<(), TurnError> {
        let Some(message) = self.conversation.messages().get(index) else {
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
        self.notify::<MessageAdded>(added, |views| views.content = content)
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

/// Returns a role's name in events and transcripts.
pub(crate) fn role_name(role: Role) -> &'static str {
    match role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
    }
}
