//! The signatures of reasoning, which some providers want back with it.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// How many are kept. They are wanted for the steps of one turn, of which there are few.
const KEPT: usize = 256;

/// The signatures of the reasoning that a provider gave, by its text.
///
/// The contract's messages have no place for them. By text means that reasoning which a hook has
/// changed has no signature any more, and is not sent back.
#[derive(Debug, Default)]
pub(super) struct Signatures(Mutex<VecDeque<(String, String)>>);

impl Signatures {
    pub(super) fn keep(&self, thinking: String, signature: String) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_front((thinking, signature));
        kept.truncate(KEPT);
    }

    pub(super) fn of(&self, thinking: &str) -> Option<String> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter()
            .find(|(text, _)| text == thinking)
            .map(|(_, signature)| signature.clone())
    }
}
