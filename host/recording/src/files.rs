//! The files that recorded calls could read. Each content is kept once, beside the blocks, by a name.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use portcullis::recording::{FileEntry, FileKind, FileTree, RecordedCall};
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
/// A file that is no text has something that must not be kept, a name has a secret in it, or two names become one.
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
                StoredKind::Link(name(target, redaction, secrets, &mut found)?)
            }
            FileKind::File(content) => {
                let content = kept(content, redaction, secrets, &mut found)?;
                let named = naming.name(&content);
                contents.push(NamedContent {
                    name: named.clone(),
                    content,
                });
                StoredKind::File(named)
            }
        };
        let path = name(path, redaction, secrets, &mut found)?;
        let modified = entry.modified;
        if stored
            .insert(path, StoredEntry { kind, modified })
            .is_some()
        {
            let why = "two files of its directories have one name without what must not be kept";
            return Err(why.to_owned());
        }
    }
    Ok(Written {
        tree: stored,
        contents,
        found,
    })
}

/// A path, or where a link leads. A secret in one has no stand-in when the call is made again.
fn name(
    text: &str,
    redaction: &Redaction,
    secrets: &Secrets,
    found: &mut bool,
) -> Result<String, String> {
    match secrets.redact(text) {
        Cow::Borrowed(_) => Ok(redaction.plain_text(text, secrets, found)),
        Cow::Owned(_) => Err("the name of a file of its directories has a secret in it".to_owned()),
    }
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

/// What a recorded call changed in directories.
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

/// What is other in the second tree than in the first, by path, in words.
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

/// The path of something in a directory, as the hook writes it.
pub fn within(guest: &str, path: &str) -> String {
    match guest.ends_with('/') {
        true => format!("{guest}{path}"),
        false => format!("{guest}/{path}"),
    }
}
