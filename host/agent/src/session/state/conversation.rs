//! The conversation, and the open turn's additions to it.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use portcullis::contract::{ContentPart, Message, Role, ToolCall};
use portcullis::tools::ToolCatalog;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::edits::Edits;
use crate::basics::text;
use crate::basics::tokens::TokenMeter;
use crate::provider::{Gone, Signature, Signatures, parts};

/// The messages of a session.
pub(crate) struct Conversation {
    /// Shared with the running call, and unshared between calls, so that changes need no copy.
    messages: Arc<Vec<Message>>,
    signatures: Arc<Signatures>,
    meter: TokenMeter,
    /// The turn that is running, or that was dropped.
    turn: Option<OpenTurn>,
}

/// A running turn's additions to the conversation, and the data to roll them back.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct OpenTurn {
    /// The number of messages before it.
    start: usize,
    /// The messages before it, once the turn has changed them.
    original: Option<Vec<Message>>,
    /// The index of the user's input.
    input_at: Option<usize>,
    /// The index of the output.
    output_at: Option<usize>,
    /// The number of times that hooks have kept it going.
    kept_going: u32,
    /// The agent's state before it.
    state: Map<String, Value>,
    #[serde(skip, default = "Instant::now")]
    began: Instant,
    /// The time it ran before it was suspended.
    before: Duration,
}

impl OpenTurn {
    fn new(start: usize, state: Map<String, Value>) -> Self {
        Self {
            start,
            original: None,
            input_at: None,
            output_at: None,
            kept_going: 0,
            state,
            began: Instant::now(),
            before: Duration::ZERO,
        }
    }

    /// Returns the time it has run, without the time it was suspended.
    fn elapsed(&self) -> Duration {
        self.before + self.began.elapsed()
    }

    fn keep_original(&mut self, messages: &[Message]) {
        if self.original.is_none() {
            self.original = messages.get(..self.start).map(<[_]>::to_vec);
        }
    }
}

impl Conversation {
    /// Creates a conversation with the history, after the system prompt if the history has none.
    pub(crate) fn new(system_prompt: Option<&str>, history: Vec<Message>) -> Self {
        let has_prompt = history
            .first()
            .is_some_and(|message| message.role == Role::System);
        let prompt = system_prompt.filter(|_| !has_prompt);
        let prompt = prompt.map(|prompt| text::message(Role::System, prompt));
        Self {
            messages: Arc::new(prompt.into_iter().chain(history).collect()),
            signatures: Arc::default(),
            meter: TokenMeter::default(),
            turn: None,
        }
    }

    pub(crate) fn messages(&self) -> &Arc<Vec<Message>> {
        &self.messages
    }

    /// Returns the signatures of the messages' reasoning.
    pub(crate) fn signatures(&self) -> &Arc<Signatures> {
        &self.signatures
    }

    /// Adds the signatures of a response, which is the message at this index.
    pub(crate) fn sign(&mut self, at: usize, of_response: &Signatures) {
        if of_response.is_empty() {
            return;
        }
        let before = self.messages.get(..at).unwrap_or_default();
        if let Some(message) = self.messages.get(at) {
            let signatures = Arc::make_mut(&mut self.signatures);
            signatures.forget(Gone::First, before);
            signatures.join(&message.content, of_response);
        }
    }

    /// Returns the signatures in the form that is stored with the messages.
    pub(crate) fn kept_signatures(&self) -> Vec<Option<Signature>> {
        self.signatures.list(parts(&self.messages))
    }

    /// Restores the signatures that were stored with the messages.
    pub(crate) fn restore_signatures(&mut self, kept: Vec<Option<Signature>>) {
        self.signatures = Arc::new(Signatures::from_list(parts(&self.messages), kept));
    }

    /// Returns the index of the first message that the open turn has added; the number of messages
    /// if it has added none.
    pub(crate) fn turn_start(&self) -> usize {
        let start = self.turn.as_ref().map(|turn| turn.start);
        start.unwrap_or(self.messages.len())
    }

    /// Adds a message and returns its index.
    pub(crate) fn push(&mut self, role: Role, content: Vec<ContentPart>) -> usize {
        let messages = Arc::make_mut(&mut self.messages);
        messages.push(Message { role, content });
        messages.len() - 1
    }

    /// Returns the estimated tokens of the messages and these tools.
    pub(crate) fn tokens(&mut self, tools: &ToolCatalog) -> u64 {
        self.meter.read(&self.messages, tools)
    }

    /// Sets the tokens of the messages, as the provider counted them.
    pub(crate) fn set_tokens(&mut self, tokens: u64) {
        self.meter.set(tokens, self.messages.len());
    }

    pub(crate) fn open_turn(&mut self, state: Map<String, Value>) {
        self.turn = Some(OpenTurn::new(self.messages.len(), state));
    }

    pub(crate) fn close_turn(&mut self) {
        self.turn = None;
    }

    /// Removes the additions of an unfinished turn. Returns the agent's state before the turn.
    pub(crate) fn roll_back(&mut self) -> Option<Map<String, Value>> {
        let turn = self.turn.take()?;
        match turn.original {
            Some(original) => self.messages = Arc::new(original),
            None => Arc::make_mut(&mut self.messages).truncate(turn.start),
        }
        if !self.signatures.is_empty() {
            Arc::make_mut(&mut self.signatures).forget(Gone::Last, &self.messages);
        }
        self.meter.reset();
        Some(turn.state)
    }

    /// Returns the open turn for a checkpoint.
    pub(crate) fn suspend_turn(&self) -> OpenTurn {
        let mut turn = match &self.turn {
            Some(turn) => turn.clone(),
            None => OpenTurn::new(self.messages.len(), Map::new()),
        };
        turn.before = turn.elapsed();
        turn
    }

    /// Sets the messages and the open turn from a checkpoint.
    pub(crate) fn restore(&mut self, messages: Vec<Message>, turn: OpenTurn) {
        self.messages = Arc::new(messages);
        self.turn = Some(OpenTurn {
            began: Instant::now(),
            ..turn
        });
    }

    /// Returns the time that the turn has run, without the time it was suspended.
    pub(crate) fn turn_elapsed(&self) -> Duration {
        self.turn.as_ref().map_or(Duration::ZERO, OpenTurn::elapsed)
    }

    /// Returns the number of times that hooks have kept the turn going.
    pub(crate) fn kept_going(&self) -> u32 {
        self.turn.as_ref().map_or(0, |turn| turn.kept_going)
    }

    /// Counts that a hook keeps the turn going, and clears the output.
    pub(crate) fn keep_going(&mut self) {
        if let Some(turn) = &mut self.turn {
            turn.kept_going += 1;
            turn.output_at = None;
        }
    }

    /// Returns the index of the user's input.
    pub(crate) fn input_at(&self) -> Option<usize> {
        self.turn.as_ref()?.input_at
    }

    pub(crate) fn set_input(&mut self, at: usize) {
        if let Some(turn) = &mut self.turn {
            turn.input_at = Some(at);
        }
    }

    /// Returns the index of the output.
    pub(crate) fn output_at(&self) -> Option<usize> {
        self.turn.as_ref()?.output_at
    }

    pub(crate) fn set_output(&mut self, at: Option<usize>) {
        if let Some(turn) = &mut self.turn {
            turn.output_at = at;
        }
    }

    /// Changes the content of the output, if there is one, and returns whether there is. Its tool
    /// calls stay, because their results stay.
    pub(crate) fn change_output(&mut self, content: &[ContentPart]) -> bool {
        let at = self.output_at();
        let messages = Arc::make_mut(&mut self.messages);
        let Some(message) = at.and_then(|at| messages.get_mut(at)) else {
            return false;
        };
        let is_call = |part: &ContentPart| matches!(part, ContentPart::ToolCall(_));
        let calls: Vec<ContentPart> = message.content.drain(..).filter(is_call).collect();
        message.content = content.iter().cloned().chain(calls).collect();
        true
    }

    /// Makes the model's last response the output, if it has content for the user.
    pub(crate) fn set_last_response_as_output(&mut self) {
        let at = self
            .last_response()
            .filter(|_| !self.last_said().is_empty());
        self.set_output(at);
    }

    /// Returns the content of the model's last response in this turn.
    pub(crate) fn last_said(&self) -> Vec<ContentPart> {
        self.last_response()
            .and_then(|at| self.messages.get(at))
            .map(|message| said(&message.content))
            .unwrap_or_default()
    }

    fn last_response(&self) -> Option<usize> {
        let start = self.turn.as_ref().map_or(0, |turn| turn.start);
        let of_turn = self.messages.get(start..)?;
        let is_response = |message: &Message| message.role == Role::Assistant;
        of_turn.iter().rposition(is_response).map(|at| start + at)
    }

    /// Returns the tool calls without a result in the last response that has tool calls.
    pub(crate) fn open_calls(&self) -> Vec<ToolCall> {
        let mut answered = HashSet::new();
        for message in self.messages.iter().rev() {
            let calls = tool_calls(&message.content);
            if !calls.is_empty() {
                let is_open = |call: &ToolCall| !answered.contains(&call.id);
                return calls.into_iter().filter(is_open).collect();
            }
            answered.extend(message.content.iter().filter_map(|part| match part {
                ContentPart::ToolResult(result) => Some(result.call_id.clone()),
                _ => None,
            }));
        }
        Vec::new()
    }

    /// Replaces the messages by the hooks' edited ones. Returns the indexes of the new messages.
    pub(crate) fn apply_edits(&mut self, edited: Arc<Vec<Message>>) -> Vec<usize> {
        if Arc::ptr_eq(&edited, &self.messages) {
            return Vec::new();
        }
        let before = std::mem::replace(&mut self.messages, edited);
        self.meter.reset();
        let edits = Edits::new(&before, &self.messages);
        if let Some(turn) = &mut self.turn {
            turn.input_at = turn.input_at.and_then(|at| edits.new_index(at));
            turn.output_at = turn.output_at.and_then(|at| edits.new_index(at));
            if edits.same_at_start() < turn.start {
                turn.keep_original(&before);
                turn.start = (turn.start..before.len())
                    .find_map(|at| edits.new_index(at))
                    .unwrap_or(self.messages.len());
            }
        }
        edits.new_messages()
    }

    /// Replaces the messages at these indexes, in order, by one message at the first of them.
    pub(crate) fn replace(&mut self, removed: &[usize], by: Message) {
        let Some(first) = removed.first().copied() else {
            return;
        };
        // If the turn fails, a summary of only older messages is kept. A summary with messages of
        // the turn is removed.
        if let Some(turn) = &mut self.turn
            && removed.iter().any(|index| *index >= turn.start)
        {
            turn.keep_original(&self.messages);
        }
        let old = std::mem::take(Arc::make_mut(&mut self.messages));
        let mut new = Vec::with_capacity(old.len());
        let mut by = Some(by);
        for (index, message) in old.into_iter().enumerate() {
            if index == first {
                new.extend(by.take());
            }
            if removed.binary_search(&index).is_err() {
                new.push(message);
            }
        }
        self.messages = Arc::new(new);
        self.meter.reset();
        if let Some(turn) = &mut self.turn {
            turn.start = moved(turn.start, removed);
            turn.input_at = turn.input_at.map(|at| moved(at, removed));
            turn.output_at = turn.output_at.map(|at| moved(at, removed));
        }
    }
}

/// Returns the new index of a message after [`Conversation::replace`].
fn moved(at: usize, removed: &[usize]) -> usize {
    let before = removed.partition_point(|index| *index < at);
    at - before + usize::from(before > 0)
}

pub(crate) fn tool_calls(content: &[ContentPart]) -> Vec<ToolCall> {
    content
        .iter()
        .filter_map(|part| match part {
            ContentPart::ToolCall(call) => Some(call.clone()),
            _ => None,
        })
        .collect()
}

/// Returns the parts of a response for the user: its text and images, not its reasoning.
pub(crate) fn said(content: &[ContentPart]) -> Vec<ContentPart> {
    content
        .iter()
        .filter(|part| matches!(part, ContentPart::Text(_) | ContentPart::Image(_)))
        .cloned()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indexes_move_with_the_messages_before_them() {
        for (at, removed, expected) in [
            (5, &[1, 2, 3][..], 3),
            (1, &[1, 2, 3], 1),
            (0, &[1, 2], 0),
            (4, &[5, 6], 4),
            (4, &[0, 5], 4),
            (3, &[], 3),
        ] {
            assert_eq!(moved(at, removed), expected, "{at} {removed:?}");
        }
    }
}
