//! The differences between two locks.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{Lock, Pinned};
use crate::model::verdict::Digest;

/// The change of one file between two locks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LockChange {
    /// The file's name.
    pub file: String,
    /// The hook's id.
    pub id: String,
    /// The kind of change.
    pub change: LockChangeKind,
    /// The digest that was pinned.
    pub before: Option<Digest>,
    /// The digest that is pinned now.
    pub after: Option<Digest>,
}

/// The kind of change of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LockChangeKind {
    /// The file was not pinned.
    Added,
    /// The file was pinned with another digest, id or origin.
    Changed,
    /// The file is no longer pinned.
    Removed,
    /// The file is unchanged.
    Same,
}

impl Lock {
    /// Returns the changes since an older lock: one for every file of either lock, by name.
    pub fn changes_since(&self, older: &Lock) -> Vec<LockChange> {
        let names: BTreeSet<&String> = older
            .components
            .keys()
            .chain(self.components.keys())
            .collect();
        let change = |name: &String| {
            let (before, after) = (older.components.get(name), self.components.get(name));
            let change = match (before, after) {
                (None, _) => LockChangeKind::Added,
                (_, None) => LockChangeKind::Removed,
                (before, after) if before == after => LockChangeKind::Same,
                _ => LockChangeKind::Changed,
            };
            let id = after.or(before).map(|pinned| pinned.id.clone());
            let digest = |pinned: &Pinned| pinned.sha256;
            LockChange {
                file: name.clone(),
                id: id.unwrap_or_default(),
                change,
                before: before.map(digest),
                after: after.map(digest),
            }
        };
        names.into_iter().map(change).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_either_lock_is_told() {
        let lock = |files: &[(&str, &str, &[u8])]| Lock {
            components: files
                .iter()
                .map(|(name, id, bytes)| {
                    let pinned = Pinned::new(*id, Digest::of(bytes));
                    ((*name).to_owned(), pinned)
                })
                .collect(),
        };
        let old = lock(&[
            ("a", "a", b"1"),
            ("b", "b", b"1"),
            ("c", "c", b"1"),
            ("d", "d", b"1"),
        ]);
        let new = lock(&[
            ("a", "a", b"1"),
            ("b", "b", b"2"),
            ("c", "x", b"1"),
            ("e", "e", b"1"),
        ]);
        let changes = new.changes_since(&old);
        let told: Vec<_> = changes
            .iter()
            .map(|c| (c.file.as_str(), c.change))
            .collect();
        assert_eq!(
            told,
            [
                ("a", LockChangeKind::Same),
                ("b", LockChangeKind::Changed),
                ("c", LockChangeKind::Changed),
                ("d", LockChangeKind::Removed),
                ("e", LockChangeKind::Added),
            ]
        );
    }
}
