//! Undoing of atomic operations.

use super::Edit;
use super::number::{number, text};

/// The undo of an atomic operation on a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Undo {
    /// The added sum is subtracted.
    Add { delta: i64, created: bool },
    /// The previous value is put back, if the key still has the new one.
    Put {
        before: Option<Vec<u8>>,
        after: Option<Vec<u8>>,
    },
}

impl Undo {
    /// Returns the edit that undoes the operation, given the key's current value.
    pub(super) fn revert(&self, now: Option<&[u8]>) -> Edit {
        match self {
            Self::Add { delta, created } => {
                // Others may have added since, and their sum stays. If they deleted the key, no
                // part of this sum is left.
                let Some(Ok(sum)) = now.map(|value| number(Some(value))) else {
                    return Edit::Keep;
                };
                match sum.saturating_sub(*delta) {
                    0 if *created => Edit::Delete,
                    sum => Edit::Put(text(sum)),
                }
            }
            Self::Put { before, after } => match now == after.as_deref() {
                true => before.clone().into(),
                false => Edit::Keep,
            },
        }
    }
}
