//! The pinned components that a list of digests revokes.

use std::collections::HashSet;

use anyhow::Context as _;
use portcullis::lock::Lock;
use portcullis::verdict::Digest;
use portcullis_registry::Source;

use super::finding::{Finding, Kind};

/// Returns the components of the lock that a list names, by their own digest or their manifest's.
pub fn revoked(lock: &Lock, list: &Source, text: &str) -> anyhow::Result<Vec<Finding>> {
    let revoked = digests(text).with_context(|| list.to_string())?;
    let pinned = lock.components.values().filter(|pinned| {
        let manifest = pinned.origin.as_ref().and_then(|origin| origin.manifest);
        revoked.contains(&pinned.sha256) || manifest.is_some_and(|one| revoked.contains(&one))
    });
    let found = pinned.map(|pinned| {
        let message = format!(
            "{list} revokes it; remove it: portcullis remove {}",
            pinned.id
        );
        Finding::of(pinned, Kind::Revoked, message)
    });
    Ok(found.collect())
}

/// Returns the digests at the beginnings of lines. A word that is no digest is an error: a mistake
/// would leave a hook unrevoked.
fn digests(text: &str) -> anyhow::Result<HashSet<Digest>> {
    let lines = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let digests = lines.map(|line| {
        let word = line.split_whitespace().next().unwrap_or_default();
        let hex = word.strip_prefix("sha256:").unwrap_or(word);
        let digest: Result<Digest, String> = hex.parse();
        digest.map_err(|why| {
            anyhow::anyhow!("`{}`: {why}", portcullis::text::sanitize_for_terminal(word))
        })
    });
    digests.collect()
}
