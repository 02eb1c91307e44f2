//! A view of the messages so far. At `pre_llm_call` these are the messages about to be sent. At `pre_compaction` this is
//! the whole conversation, of which the agent will remove older messages. The oldest message is at index 0.
//!
//! The cost of a read depends on the messages that are read, not on the length of the conversation.

mod iter;

pub use iter::{Iter, iter};

use crate::imports::conversation;
use crate::types::Message;

/// Returns the number of messages.
pub fn len() -> u32 {
    conversation::len()
}

/// Returns the newest message.
pub fn last() -> Option<Message> {
    conversation::last()
}

/// Returns the message at `index`.
pub fn get(index: u32) -> Option<Message> {
    conversation::get(index)
}

/// Returns the messages from `start` up to, but not including, `end`. Indexes outside of the conversation are ignored.
pub fn slice(start: u32, end: u32) -> Vec<Message> {
    conversation::slice(start, end)
}

/// Returns the index of the first message that the current turn has added: the user's. Outside of a turn, and at
/// `pre_llm_call` and `post_llm_call`, where the messages are those of the request, this is [`len`].
pub fn turn_start() -> u32 {
    conversation::turn_start()
}

/// Returns the messages that the current turn has added so far; at `post_turn`, all messages of the turn.
pub fn of_turn() -> Vec<Message> {
    slice(turn_start(), u32::MAX)
}
