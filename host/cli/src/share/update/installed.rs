//! The installed hooks, and their sources.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
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
    /// Returns the path of the hook's file. It must be the pinned one, since the new version is
    /// compared with it.
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

/// A hook to update, or the reason why it cannot be updated.
pub struct Chosen {
    pub id: String,
    pub hook: anyhow::Result<AddedHook>,
}

/// Returns the hooks that were named, or all that were added.
pub fn chosen(args: &UpdateArgs) -> anyhow::Result<Vec<Chosen>> {
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
    let unknown: Vec<Chosen> = args
        .ids
        .iter()
        .filter(|id| !added.iter().any(|one| one.pinned.id == **id))
        .map(|id| Chosen {
            id: id.clone(),
            hook: Err(without_source(id, &path, &added)),
        })
        .collect();
    if added.is_empty() && unknown.is_empty() {
        bail!(
            "{} knows no source of any hook: none was added with `portcullis add`",
            path.display()
        );
    }
    if !args.ids.is_empty() {
        added.retain(|one| args.ids.contains(&one.pinned.id));
    }
    let added = added.into_iter().map(|hook| Chosen {
        id: hook.pinned.id.clone(),
        hook: Ok(hook),
    });
    Ok(added.chain(unknown).collect())
}

fn without_source(id: &str, lock: &Path, added: &[AddedHook]) -> anyhow::Error {
    let ids = added.iter().map(|one| one.pinned.id.as_str());
    let hint = match portcullis::text::nearest(id, ids) {
        Some(near) => format!("; did you mean `{near}`?"),
        None => ": it was not added with `portcullis add`, or its file was changed and pinned since; add it again".to_owned(),
    };
    anyhow!("{} knows no source of `{id}`{hint}", lock.display())
}
