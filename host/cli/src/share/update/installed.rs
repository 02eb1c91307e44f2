//! The installed hooks, and their sources.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use portcullis::lock::{LOCK_NAME, Origin, Pinned};
use portcullis_registry::digest_of;

use super::UpdateArgs;
use crate::hooks::trust::files;

/// A hook that was added.
pub struct AddedHook {
    pub name: String,
    pub pinned: Pinned,
    pub origin: Origin,
}

impl AddedHook {
    /// Returns its file, which must be the one that was agreed to: the new one is compared with it.
    pub fn file(&self, dir: &Path) -> anyhow::Result<PathBuf> {
        let (file, id) = (dir.join(&self.name), &self.pinned.id);
        let found = digest_of(&file).with_context(|| {
            format!(
                "what is different cannot be shown: the component is gone. Remove it (portcullis remove {id}) and add \
                 it anew"
            )
        })?;
        if found != self.pinned.sha256 {
            bail!(
                "{} is not the component that {} pins, so that what is different cannot be shown. Look at the one that \
                 is there (portcullis hooks trust {id}), or remove it (portcullis remove {id}) and add it anew",
                file.display(),
                dir.join(LOCK_NAME).display(),
            );
        }
        Ok(file)
    }
}

/// Returns the hooks that were named, or all that were added.
pub fn chosen(args: &UpdateArgs) -> anyhow::Result<Vec<AddedHook>> {
    let lock = files::lock(&args.dir.hooks)?.unwrap_or_default();
    let added = lock.components.into_iter().filter_map(|(name, pinned)| {
        let origin = pinned.origin.clone()?;
        Some(AddedHook {
            name,
            pinned,
            origin,
        })
    });
    let mut added: Vec<AddedHook> = added.collect();
    let path = args.dir.hooks.join(LOCK_NAME);
    for id in &args.ids {
        if !added.iter().any(|one| &one.pinned.id == id) {
            let ids = added.iter().map(|one| one.pinned.id.as_str());
            let hint = match portcullis::text::nearest(id, ids) {
                Some(near) => format!("; did you mean `{near}`?"),
                None => ": it was not added with `portcullis add`, or its file was changed and pinned since; add it again".to_owned(),
            };
            bail!("{} knows no source of `{id}`{hint}", path.display());
        }
    }
    if added.is_empty() {
        bail!(
            "{} knows no source of any hook: none was added with `portcullis add`",
            path.display()
        );
    }
    if !args.ids.is_empty() {
        added.retain(|one| args.ids.contains(&one.pinned.id));
    }
    Ok(added)
}
