//! How atomic operations are undone.

use super::Edit;
use super::number::{number, text};

/// How an atomic operation on a key is undone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Undo {
    /// The sum that was added is subtracted.
    Add { delta: i64, created: bool },
    /// The value from before is put back, if the key still has the one that was put there.
    Put {
        before: Option<Vec<u8>>,
        after: Option<Vec<u8>>,
    },
}

impl Undo {
    /// What becomes of the key, given its value now.
    pub(super) fn revert(&self, now: Option<&[u8]>) -> Edit {
        match self {
            Self::Add { delta, created } => {
                // Others may have added since, and theirs stays; or deleted the key, and then
                // there is nothing left of ours.
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
