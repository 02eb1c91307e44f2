//! The hook that an argument names: a component file, or a hook of the hooks directory by its id.

use std::path::Path;

use anyhow::bail;
use portcullis::lock::{Lock, lock};
use portcullis::settings::Settings;
use portcullis::{HookId, LoadOptions};

use super::CacheArgs;
use crate::terminal::progress::LoadBar;

/// The target of an argument.
pub(crate) enum HookArg<'a> {
    File(&'a Path),
    Id(&'a str),
}

impl<'a> HookArg<'a> {
    pub(crate) fn of(argument: &'a Path) -> Self {
        match argument.to_str() {
            Some(id) if HookId::fits(id) && !argument.is_file() => Self::Id(id),
            _ => Self::File(argument),
        }
    }
}

/// Returns all components of a directory, as a lock would pin them.
pub(crate) fn components(
    dir: &Path,
    settings: &Settings,
    cache: &CacheArgs,
) -> anyhow::Result<Lock> {
    Ok(with_options(cache, |options| lock(dir, settings, options))?)
}

/// Loads or inspects hooks, with a progress bar for compilation.
pub(crate) fn with_options<T>(cache: &CacheArgs, work: impl FnOnce(&LoadOptions<'_>) -> T) -> T {
    let bar = LoadBar::hidden();
    work(&LoadOptions {
        compiler: crate::compiler::child(),
        cache: cache.choice(),
        progress: &|progress| bar.update(progress),
        ..LoadOptions::default()
    })
}

/// Returns the file name of the hook with this id.
pub(crate) fn name_of<'a>(id: &str, all: &'a Lock) -> Option<&'a str> {
    let mut found = all.components.iter().filter(|(_, pinned)| pinned.id == id);
    found.next().map(|(name, _)| name.as_str())
}

/// Like [`name_of`], but a missing hook is an error.
pub(crate) fn file_of(id: &str, all: &Lock, dir: &Path) -> anyhow::Result<String> {
    if let Some(name) = name_of(id, all) {
        return Ok(name.to_owned());
    }
    let ids = all.components.values().map(|pinned| pinned.id.as_str());
    let hint = match portcullis::text::nearest(id, ids) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "name the file of the hook, or its directory with --hooks".to_owned(),
    };
    bail!("there is no hook `{id}` in {}; {hint}", dir.display());
}

/// Refuses an id that more than one file has.
pub(crate) fn is_of_one_file(id: &str, all: &Lock) -> anyhow::Result<()> {
    let same = all.components.iter().filter(|(_, pinned)| pinned.id == id);
    let same: Vec<&str> = same.map(|(name, _)| name.as_str()).collect();
    if let [_, _, ..] = same.as_slice() {
        bail!(
            "the id `{id}` is that of more than one file: {}. A hook that takes the id of another would \
             have what that was granted; remove one of them",
            same.join(", ")
        );
    }
    Ok(())
}
