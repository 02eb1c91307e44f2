//! A view of the messages so far: at `pre_llm_call` those about to be sent, at `pre_compaction`
//! those that may be removed. The oldest is at index 0.
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
