//! The size limits of a namespace.

use super::StateFault;

/// The size limits of a namespace.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Quota {
    pub(crate) keys: usize,
    pub(crate) bytes: usize,
}

/// The number of keys, and the bytes of the keys with their values.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Size {
    keys: usize,
    bytes: usize,
}

impl Size {
    /// Returns the size of one key, with the length of its value.
    pub(super) fn of(key: &str, len: usize) -> Self {
        Self {
            keys: 1,
            bytes: key.len().saturating_add(len),
        }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            keys: self.keys.saturating_add(other.keys),
            bytes: self.bytes.saturating_add(other.bytes),
        }
    }

    pub(super) fn minus(self, other: Self) -> Self {
        Self {
            keys: self.keys.saturating_sub(other.keys),
            bytes: self.bytes.saturating_sub(other.bytes),
        }
    }
}

impl Quota {
    /// Checks that there is room for a key and a value, in addition to these other keys with the
    /// lengths of their values.
    pub(super) fn check<'a>(
        self,
        key: &str,
        len: usize,
        others: impl Iterator<Item = (&'a str, usize)>,
    ) -> Result<(), StateFault> {
        let others = others.filter(|(other, _)| *other != key);
        let others = others.map(|(other, len)| Size::of(other, len));
        self.check_size(others.fold(Size::of(key, len), Size::plus))
    }

    /// Checks that there is room for this size.
    pub(super) fn check_size(self, Size { keys, bytes }: Size) -> Result<(), StateFault> {
        if keys > self.keys {
            return Err(StateFault::TooManyKeys(self.keys));
        }
        if bytes > self.bytes {
            return Err(StateFault::TooManyBytes(self.bytes));
        }
        Ok(())
    }
}
