//! A view of the current content: at `pre_turn` and at the points of the prompt the user's message,
//! at `post_llm_call` the model's response, at `post_turn` the turn's output, at `post_compaction`
//! the summary. The page of each point says what its content is; if there is none, the view is empty.

use crate::imports::content;
use crate::types::ContentPart;

/// Returns all parts, in order.
pub fn parts() -> Vec<ContentPart> {
    content::parts()
}

/// Returns the text parts, joined.
pub fn text() -> String {
    content::text()
}
