//! Reading the conversation message by message.

use std::iter::FusedIterator;
use std::vec::IntoIter;

use super::{len, slice};
use crate::types::Message;

/// The number of messages that one host call fetches: enough that the cost of the call is negligible,
/// few enough that a long conversation is never in the guest's memory as a whole.
const AT_ONCE: u32 = 64;

/// Returns an iterator over all messages, the oldest first.
pub fn iter() -> Iter {
    Iter {
        fetched: Vec::new().into_iter(),
        next: 0,
        end: len(),
    }
}

/// The iterator of [`iter`].
#[derive(Debug)]
pub struct Iter {
    fetched: IntoIter<Message>,
    next: u32,
    end: u32,
}

impl Iterator for Iter {
    type Item = Message;

    fn next(&mut self) -> Option<Message> {
        if let Some(message) = self.fetched.next() {
            return Some(message);
        }
        if self.next >= self.end {
            return None;
        }
        let end = self.end.min(self.next.saturating_add(AT_ONCE));
        self.fetched = slice(self.next, end).into_iter();
        self.next = end;
        self.fetched.next()
    }
}

impl FusedIterator for Iter {}
