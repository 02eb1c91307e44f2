//! Hook edits of a conversation: the new positions of its messages, and the new messages.

use std::ops::Range;

use portcullis::contract::Message;

/// The messages before and after. Their common start and their common end are unchanged.
pub(super) struct Edits<'a> {
    before: &'a [Message],
    after: &'a [Message],
    same_at_start: usize,
    same_at_end: usize,
}

impl<'a> Edits<'a> {
    pub(super) fn new(before: &'a [Message], after: &'a [Message]) -> Self {
        let pairs = before.iter().zip(after);
        let same_at_start = pairs.take_while(|(old, new)| old == new).count();
        let most = before.len().min(after.len()) - same_at_start;
        let pairs = before.iter().rev().zip(after.iter().rev()).take(most);
        let same_at_end = pairs.take_while(|(old, new)| old == new).count();
        Self {
            before,
            after,
            same_at_start,
            same_at_end,
        }
    }

    /// Returns the number of unchanged messages at the start.
    pub(super) fn same_at_start(&self) -> usize {
        self.same_at_start
    }

    /// Returns the new index of a message; `None` if it was removed or changed.
    pub(super) fn new_index(&self, at: usize) -> Option<usize> {
        let to_end = self.before.len().checked_sub(at)?;
        if at < self.same_at_start {
            return Some(at);
        }
        if to_end <= self.same_at_end {
            return Some(self.after.len() - to_end);
        }
        let message = self.before.get(at)?;
        let range = self.range_of(self.after);
        range
            .rev()
            .find(|index| self.after.get(*index) == Some(message))
    }

    /// Returns the indexes of the new messages, in order.
    pub(super) fn new_messages(&self) -> Vec<usize> {
        let mut known: Vec<&Message> = self
            .before
            .get(self.range_of(self.before))
            .unwrap_or_default()
            .iter()
            .collect();
        self.range_of(self.after)
            .filter(|index| {
                let message = self.after.get(*index);
                match known.iter().position(|old| Some(*old) == message) {
                    // A second copy of an old message is new.
                    Some(old) => {
                        known.swap_remove(old);
                        false
                    }
                    None => true,
                }
            })
            .collect()
    }

    fn range_of(&self, messages: &[Message]) -> Range<usize> {
        self.same_at_start..messages.len() - self.same_at_end
    }
}

#[cfg(test)]
mod tests {
    use portcullis::contract::{ContentPart, Role};

    use super::*;

    fn messages(texts: &str) -> Vec<Message> {
        let message = |text: char| Message {
            role: Role::User,
            content: vec![ContentPart::Text(text.to_string())],
        };
        texts.chars().map(message).collect()
    }

    #[test]
    fn new_indexes_and_new_messages() {
        for (before, after, indexes, new) in [
            ("abc", "abc", [Some(0), Some(1), Some(2)], vec![]),
            ("abc", "xabc", [Some(1), Some(2), Some(3)], vec![0]),
            ("abc", "abcx", [Some(0), Some(1), Some(2)], vec![3]),
            ("abc", "abxc", [Some(0), Some(1), Some(3)], vec![2]),
            ("abc", "ac", [Some(0), None, Some(1)], vec![]),
            ("abc", "axc", [Some(0), None, Some(2)], vec![1]),
            ("abc", "cba", [Some(2), Some(1), Some(0)], vec![]),
            ("abc", "bxbc", [None, Some(2), Some(3)], vec![0, 1]),
            ("abc", "", [None, None, None], vec![]),
        ] {
            let (old, now) = (messages(before), messages(after));
            let edits = Edits::new(&old, &now);
            let found: Vec<_> = (0..3).map(|at| edits.new_index(at)).collect();
            assert_eq!(found, indexes, "{before} {after}");
            assert_eq!(edits.new_messages(), new, "{before} {after}");
        }
    }
}
