//! The directory changes of calls, in words.

use std::collections::BTreeMap;
use std::sync::Arc;

use portcullis::recording::{FileEntry, FileKind, RecordedCall};
use portcullis::verdict::Digest;

use super::written::kept;
use super::{StoredDirectory, StoredKind, StoredTree, within};
use crate::redact::Redaction;

/// A call's changes in the directories that the hook may write: the new entry at each path, in
/// words.
pub type FileChanges = BTreeMap<String, String>;

/// Returns a call's directory changes, without secrets.
pub fn file_changes(call: &RecordedCall) -> FileChanges {
    let secrets = call.secrets();
    let plain = |text: &str| secrets.redact(text).into_owned();
    let text = |kind: &FileKind| match kind {
        FileKind::Directory => "a directory".to_owned(),
        FileKind::Link(target) => format!("a link to {}", plain(target)),
        FileKind::File(content) => {
            let kept = kept(content, &Redaction::default(), secrets, &mut false);
            file(&kept.unwrap_or_else(|_| content.clone()))
        }
    };
    let mut changes = FileChanges::new();
    for directory in &call.directories {
        if let Some(after) = &directory.after {
            let (before, after) = (kinds(&directory.before.0), kinds(&after.0));
            let differ = changed(before, after, text);
            changes
                .extend(differ.map(|(path, what)| (plain(&within(&directory.guest, &path)), what)));
        }
    }
    return changes;

    fn kinds(tree: &BTreeMap<String, FileEntry>) -> BTreeMap<&str, &FileKind> {
        let entries = tree.iter();
        entries
            .map(|(path, entry)| (path.as_str(), &entry.kind))
            .collect()
    }
}

/// Returns a recorded call's directory changes.
pub(crate) fn stored_changes(
    directories: &[StoredDirectory],
    contents: &BTreeMap<String, Arc<[u8]>>,
) -> FileChanges {
    let text = |kind: &StoredKind| match kind {
        StoredKind::Directory => "a directory".to_owned(),
        StoredKind::Link(target) => format!("a link to {target}"),
        StoredKind::File(name) => file(contents.get(name).map_or(&[], |content| content)),
    };
    let mut changes = FileChanges::new();
    for directory in directories {
        if let Some(after) = &directory.after {
            let (before, after) = (kinds(&directory.before), kinds(after));
            let differ = changed(before, after, text);
            changes.extend(differ.map(|(path, what)| (within(&directory.guest, &path), what)));
        }
    }
    return changes;

    fn kinds(tree: &StoredTree) -> BTreeMap<&str, &StoredKind> {
        let entries = tree.iter();
        entries
            .map(|(path, entry)| (path.as_str(), &entry.kind))
            .collect()
    }
}

/// Returns the differences of the second tree from the first, by path, in words.
fn changed<K: PartialEq>(
    before: BTreeMap<&str, &K>,
    after: BTreeMap<&str, &K>,
    text: impl Fn(&K) -> String,
) -> impl Iterator<Item = (String, String)> {
    let new = after
        .iter()
        .filter(|(path, kind)| before.get(*path) != Some(kind));
    let mut changed: FileChanges = new
        .map(|(path, kind)| ((*path).to_owned(), text(kind)))
        .collect();
    let gone = before.keys().filter(|path| !after.contains_key(*path));
    changed.extend(gone.map(|path| ((*path).to_owned(), "removed".to_owned())));
    changed.into_iter()
}

fn file(content: &[u8]) -> String {
    format!("{} bytes, {}", content.len(), Digest::of(content))
}
