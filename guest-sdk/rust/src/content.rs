//! A view of the content in hand: at `pre_turn` and at the points of the prompt what the user said,
//! at `post_llm_call` what the model answered, at `post_turn` what the turn gives back, at
//! `post_compaction` the summary; elsewhere it is empty.

pub use crate::bindings::portcullis::hooks::content::{parts, text};
