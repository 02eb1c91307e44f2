//! Redacted trees: without secrets and without matches of the operator's rules.

use std::borrow::Cow;
use std::sync::Arc;

use portcullis::recording::{FileKind, FileTree};
use portcullis::secrets::Secrets;

use super::content::{NamedContent, Naming};
use super::{StoredEntry, StoredKind, StoredTree};
use crate::redact::Redaction;

/// A redacted tree.
pub(crate) struct Written {
    pub(crate) tree: StoredTree,
    pub(crate) contents: Vec<NamedContent>,
    /// Whether a rule matched in it.
    pub(crate) found: bool,
}

/// Returns a tree without secrets and without matches of the operator's rules.
///
/// # Errors
///
/// A file that is not text contains a secret or a match of a rule, a name contains a secret, or two
/// names become equal.
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

/// Returns a path or the target of a link, redacted. A secret in it is an error, since a replay
/// cannot replace it.
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

pub(super) fn kept(
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
