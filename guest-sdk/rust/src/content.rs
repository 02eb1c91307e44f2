//! A view of the current content: at `pre_turn` and at the points of the prompt what the user said,
//! at `post_llm_call` what the model answered, at `post_turn` what the turn gives back, at
//! `post_compaction` the summary; elsewhere it is empty.

use crate::imports::content;
use crate::types::ContentPart;

/// All parts, in order.
pub fn parts() -> Vec<ContentPart> {
    content::parts()
}

/// The text parts, joined.
pub fn text() -> String {
    content::text()
}
