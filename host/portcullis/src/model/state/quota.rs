//! How much a namespace may hold.

use super::StateFault;

/// How much a namespace may hold.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Quota {
    pub(crate) keys: usize,
    pub(crate) bytes: usize,
}

impl Quota {
    /// Whether there is room for a key and a value, beside these other keys with the lengths of their
    /// values.
    pub(super) fn check<'a>(
        self,
        key: &str,
        len: usize,
        others: impl Iterator<Item = (&'a str, usize)>,
    ) -> Result<(), StateFault> {
        let (mut keys, mut bytes) = (1, key.len() + len);
        for (other, len) in others.filter(|(other, _)| *other != key) {
            keys += 1;
            bytes += other.len() + len;
        }
        if keys > self.keys {
            return Err(StateFault::TooManyKeys(self.keys));
        }
        if bytes > self.bytes {
            return Err(StateFault::TooManyBytes(self.bytes));
        }
        Ok(())
    }
}
