//! A view of the messages so far: at `pre_llm_call` those about to be sent, at `pre_compaction`
//! those that may be removed. The oldest is at index 0.
//!
//! Reading costs by the message, not by the length of the conversation.

mod iter;

pub use crate::bindings::portcullis::hooks::conversation::{get, last, len, slice};
pub use iter::{Iter, iter};
