//! The signatures of reasoning. Some providers require them when the reasoning is sent back.

use std::collections::VecDeque;

use parking_lot::Mutex;

/// How many are kept. They are needed for the steps of one turn, which are few.
const KEPT: usize = 256;

/// The signatures of the reasoning that a provider gave, by its text.
///
/// The contract's messages have no field for them. Reasoning that a hook has changed has no
/// signature here, so it is not sent back.
#[derive(Debug, Default)]
pub(super) struct Signatures(Mutex<VecDeque<(String, String)>>);

impl Signatures {
    pub(super) fn keep(&self, thinking: String, signature: String) {
        let mut kept = self.0.lock();
        kept.push_front((thinking, signature));
        kept.truncate(KEPT);
    }

    pub(super) fn of(&self, thinking: &str) -> Option<String> {
        let kept = self.0.lock();
        kept.iter()
            .find(|(text, _)| text == thinking)
            .map(|(_, signature)| signature.clone())
    }
}
