//! The hook that is meant, and the other files of its directory.

use std::path::{Path, PathBuf};

use anyhow::bail;
use portcullis::LoadOptions;
use portcullis::hooks::inspect;
use portcullis::lock::{Lock, lock};
use portcullis::report::HookReport;
use portcullis::settings::Settings;

use super::files;
use crate::hooks::CacheArgs;
use crate::terminal::progress::LoadBar;

/// The hook that is meant, as it stands now.
pub(super) struct Target {
    pub(super) dir: PathBuf,
    pub(super) file: PathBuf,
    /// Its name in `hooks.lock`.
    pub(super) name: String,
    pub(super) settings: Settings,
    pub(super) report: HookReport,
    /// All files of the directory, as a lock would pin them.
    pub(super) all: Lock,
}

impl Target {
    /// Finds a hook by its file, or by its id in a directory.
    pub(super) fn find(hook: &Path, dir: &Path, cache: &CacheArgs) -> anyhow::Result<Self> {
        let has_ending = hook.extension().is_some_and(|ending| ending == "wasm");
        let is_file = has_ending || hook.is_file() || hook.components().count() > 1;
        let dir = match (is_file, hook.parent()) {
            (true, Some(parent)) if parent != Path::new("") => parent.to_owned(),
            (true, _) => PathBuf::from("."),
            (false, _) => dir.to_owned(),
        };
        let settings = files::settings(&dir)?;
        let bar = LoadBar::new();
        let options = LoadOptions {
            compiler: crate::compiler::child(),
            cache: cache.choice(),
            progress: &|progress| bar.update(progress),
            ..LoadOptions::default()
        };
        let all = lock(&dir, &settings, &options)?;
        let name = match is_file {
            true => named(&all, hook)?,
            false => by_id(&all, &hook.to_string_lossy(), &dir)?,
        };
        let file = dir.join(&name);
        let report = inspect(&file, &settings, &options)?;
        let id = report.id.as_str();
        let same = all.components.iter().filter(|(_, pinned)| pinned.id == id);
        let same: Vec<&str> = same.map(|(name, _)| name.as_str()).collect();
        if let [_, _, ..] = same.as_slice() {
            bail!(
                "the id `{id}` is that of more than one file: {}. A hook that takes the id of another would \
                 have what that was granted; remove one of them",
                same.join(", ")
            );
        }
        if all.components.get(&name).map(|pinned| pinned.sha256) != Some(report.digest) {
            bail!(
                "{} was changed while it was read; try again",
                file.display()
            );
        }
        Ok(Self {
            dir,
            file,
            name,
            settings,
            report,
            all,
        })
    }
}

fn named(all: &Lock, file: &Path) -> anyhow::Result<String> {
    let name = file.file_name().and_then(|name| name.to_str());
    match name.filter(|name| all.components.contains_key(*name)) {
        Some(name) => Ok(name.to_owned()),
        None => bail!(
            "{} is not a hook: there must be a component file with the ending `.wasm`",
            file.display()
        ),
    }
}

fn by_id(all: &Lock, id: &str, dir: &Path) -> anyhow::Result<String> {
    let mut found = all.components.iter().filter(|(_, pinned)| pinned.id == id);
    if let Some((name, _)) = found.next() {
        return Ok(name.clone());
    }
    let ids = all.components.values().map(|pinned| pinned.id.as_str());
    let hint = match portcullis::text::nearest(id, ids) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "name the file of the hook, or its directory with --hooks".to_owned(),
    };
    bail!("there is no hook `{id}` in {}; {hint}", dir.display());
}
