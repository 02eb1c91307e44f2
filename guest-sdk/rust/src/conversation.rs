//! A view of the messages so far: at `pre_llm_call` those about to be sent, at `pre_compaction` the whole conversation, of
//! which older messages will be removed. The oldest is at index 0.
//!
//! Reading costs by the message, not by the length of the conversation.

mod iter;

pub use iter::{Iter, iter};

use crate::imports::conversation;
use crate::types::Message;

/// How many messages there are.
pub fn len() -> u32 {
    conversation::len()
}

/// The newest.
pub fn last() -> Option<Message> {
    conversation::last()
}

/// The one at `index`.
pub fn get(index: u32) -> Option<Message> {
    conversation::get(index)
}

/// Those from `start` up to, and without, `end`; what lies outside is left out.
pub fn slice(start: u32, end: u32) -> Vec<Message> {
    conversation::slice(start, end)
}

/// The index of the first message that the current turn has added, which is what the user said. Outside of a turn, and at
/// `pre_llm_call` and `post_llm_call`, where the messages are those of the request, it is [`len`].
pub fn turn_start() -> u32 {
    conversation::turn_start()
}

/// The messages that the current turn has added so far; at `post_turn` these are all.
pub fn of_turn() -> Vec<Message> {
    slice(turn_start(), u32::MAX)
}
