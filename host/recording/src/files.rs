//! The files that recorded calls could read. Each content is kept once, beside the blocks, by a name.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use portcullis::recording::{FileKind, FileTree, RecordedCall};
use portcullis::secrets::Secrets;
use portcullis::verdict::Digest;
use serde::{Deserialize, Serialize};

use crate::age::{self, Identities, Recipient};
use crate::error::RecordingError;
use crate::redact::Redaction;

/// How the contents of files are named.
#[derive(Debug, Clone, Default)]
pub struct Naming(Vec<u8>);

impl Naming {
    /// By their digests, so that a content has one name in every process.
    pub fn by_digest() -> Self {
        Self::default()
    }

    /// By names that do not tell what the content is, for those that are encrypted. A content has one name for as long as
    /// this is used.
    ///
    /// # Errors
    ///
    /// The system gives no random numbers.
    pub fn hidden() -> Result<Self, RecordingError> {
        Ok(Self(age::random()?.to_vec()))
    }

    fn name(&self, content: &[u8]) -> String {
        Digest::of(&[&self.0, content].concat()).to_string()
    }
}

/// The content of a file, with a name.
#[derive(Debug, Clone)]
pub struct NamedContent {
    /// Its name.
    pub name: String,
    /// What is in the file.
    pub content: Arc<[u8]>,
}

impl NamedContent {
    /// The content as it is stored: compressed, and encrypted if there are recipients.
    ///
    /// # Errors
    ///
    /// It cannot be encrypted.
    pub fn stored(&self, recipients: &[Recipient]) -> Result<Vec<u8>, RecordingError> {
        let bytes = lz4_flex::block::compress_prepend_size(&self.content);
        match recipients {
            [] => Ok(bytes),
            recipients => age::encrypt(&bytes, recipients),
        }
    }
}

/// Reads the content of a file that was [stored](NamedContent::stored).
///
/// # Errors
///
/// It is damaged, or encrypted for others than these identities.
pub fn content(bytes: &[u8], identities: &Identities) -> Result<Arc<[u8]>, RecordingError> {
    let bytes = age::plain(bytes, identities)?;
    let content =
        lz4_flex::block::decompress_size_prepended(&bytes).map_err(RecordingError::damaged)?;
    Ok(content.into())
}

/// What is in a directory, by path. The directory itself has the path "".
pub type StoredTree = BTreeMap<String, StoredEntry>;

/// Something in a directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct StoredEntry {
    /// What it is.
    pub kind: StoredKind,
    /// When it was modified last, since 1970.
    pub modified: Duration,
}

/// What something in a directory is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StoredKind {
    /// A directory.
    Directory,
    /// A file, with the name of its content.
    File(String),
    /// A symbolic link to this path.
    Link(String),
}

/// A directory that a hook was granted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredDirectory {
    /// What the hook calls it.
    pub guest: String,
    /// What was in it when the call began.
    pub before: Arc<StoredTree>,
    /// What was in it when the call had ended, if the hook may write there.
    pub after: Option<Arc<StoredTree>>,
}

/// A directory, as a block has it. Trees are numbers of shared values.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct DirectoryLine {
    pub(crate) guest: String,
    pub(crate) before: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) after: Option<usize>,
}

/// A tree as it may be written.
pub(crate) struct Written {
    pub(crate) tree: StoredTree,
    pub(crate) contents: Vec<NamedContent>,
    /// Whether a rule found something in it.
    pub(crate) found: bool,
}

/// A tree without secrets and without what the operator's rules find.
///
/// # Errors
///
/// A file that is no text has something that must not be kept.
pub(crate) fn written(
    tree: &FileTree,
    redaction: &Redaction,
    secrets: &Secrets,
    naming: &Naming,
) -> Result<Written, String> {
    let mut found = false;
    let (mut stored, mut contents) = (StoredTree::new(), Vec::new());
    for (path, entry) in &tree.0 {
        let kind = match &entry.kind {
            FileKind::Directory => StoredKind::Directory,
            FileKind::Link(target) => {
                StoredKind::Link(redaction.plain_text(target, secrets, &mut found))
            }
            FileKind::File(content) => {
                let content = kept(content, redaction, secrets, &mut found)?;
                let name = naming.name(&content);
                contents.push(NamedContent {
                    name: name.clone(),
                    content,
                });
                StoredKind::File(name)
            }
        };
        let path = redaction.plain_text(path, secrets, &mut found);
        let modified = entry.modified;
        stored.insert(path, StoredEntry { kind, modified });
    }
    Ok(Written {
        tree: stored,
        contents,
        found,
    })
}

fn kept(
    content: &Arc<[u8]>,
    redaction: &Redaction,
    secrets: &Secrets,
    found: &mut bool,
) -> Result<Arc<[u8]>, String> {
    if !redaction.is_needed(secrets) {
        return Ok(content.clone());
    }
    let lossy = String::from_utf8_lossy(content);
    let mut found_here = false;
    let redacted = redaction.plain_text(&lossy, secrets, &mut found_here);
    let is_text = std::str::from_utf8(content).is_ok();
    if redacted == lossy {
        return Ok(content.clone());
    }
    if !is_text {
        let why = "a file of its directories is no text, and has what must not be kept";
        return Err(why.to_owned());
    }
    *found |= found_here;
    Ok(redacted.into_bytes().into())
}

/// What a call changed in the directories that it may write, by path: what is there since, in words.
pub type FileChanges = BTreeMap<String, String>;

/// What a call changed in directories, without secrets.
pub fn file_changes(call: &RecordedCall) -> FileChanges {
    let mut changes = FileChanges::new();
    for directory in &call.directories {
        let Some(after) = &directory.after else {
            continue;
        };
        let text = |kind: &FileKind| match kind {
            FileKind::Directory => "a directory".to_owned(),
            FileKind::Link(target) => format!("a link to {target}"),
            FileKind::File(content) => {
                let kept = kept(content, &Redaction::default(), call.secrets(), &mut false);
                file(&kept.unwrap_or_else(|_| content.clone()))
            }
        };
        let before = &directory.before.0;
        for (path, entry) in &after.0 {
            if before.get(path).map(|entry| &entry.kind) != Some(&entry.kind) {
                changes.insert(within(&directory.guest, path), text(&entry.kind));
            }
        }
        removed(&directory.guest, before, &after.0, &mut changes);
    }
    changes
}

/// What a recorded call changed in directories.
pub(crate) fn stored_changes(
    directories: &[StoredDirectory],
    contents: &BTreeMap<String, Arc<[u8]>>,
) -> FileChanges {
    let mut changes = FileChanges::new();
    for directory in directories {
        let Some(after) = &directory.after else {
            continue;
        };
        let text = |kind: &StoredKind| match kind {
            StoredKind::Directory => "a directory".to_owned(),
            StoredKind::Link(target) => format!("a link to {target}"),
            StoredKind::File(name) => file(contents.get(name).map_or(&[], |content| content)),
        };
        let before = &directory.before;
        for (path, entry) in &**after {
            if before.get(path).map(|entry| &entry.kind) != Some(&entry.kind) {
                changes.insert(within(&directory.guest, path), text(&entry.kind));
            }
        }
        removed(&directory.guest, before, after, &mut changes);
    }
    changes
}

fn removed<T>(
    guest: &str,
    before: &BTreeMap<String, T>,
    after: &BTreeMap<String, T>,
    changes: &mut FileChanges,
) {
    for path in before.keys().filter(|path| !after.contains_key(*path)) {
        changes.insert(within(guest, path), "removed".to_owned());
    }
}

fn file(content: &[u8]) -> String {
    format!("{} bytes, {}", content.len(), Digest::of(content))
}

/// The path of something in a directory, as the hook writes it.
pub fn within(guest: &str, path: &str) -> String {
    match guest.ends_with('/') {
        true => format!("{guest}{path}"),
        false => format!("{guest}/{path}"),
    }
}
