//! The hook that the argument names, and the other files of its directory.

use std::path::{Path, PathBuf};

use anyhow::bail;
use portcullis::LoadOptions;
use portcullis::hooks::inspect;
use portcullis::lock::{Lock, Pinned, lock};
use portcullis::report::HookReport;
use portcullis::settings::Settings;

pub(crate) use super::arrival::Arrival;
use super::files;
use crate::hooks::CacheArgs;
use crate::terminal::progress::LoadBar;

/// The hook that is meant, as it stands now.
pub(crate) struct Target {
    pub(super) dir: PathBuf,
    pub(super) file: PathBuf,
    /// Its name in `hooks.lock`.
    pub(super) name: String,
    pub(super) settings: Settings,
    pub(super) report: HookReport,
    /// All files of the directory, as a lock would pin them.
    pub(super) all: Lock,
    /// The component, if it is not in the directory yet.
    pub(super) arrival: Option<Arrival>,
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
        let bar = LoadBar::hidden();
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
        one_of_its_id(&all, id)?;
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
            arrival: None,
        })
    }

    /// A component that is to be put into a directory: under its id, or in place of the file that it replaces.
    pub(crate) fn arriving(
        arrival: Arrival,
        dir: &Path,
        replaced: Option<&str>,
        cache: &CacheArgs,
    ) -> anyhow::Result<Self> {
        let settings = files::settings(dir)?;
        let bar = LoadBar::hidden();
        let options = LoadOptions {
            compiler: crate::compiler::child(),
            cache: cache.choice(),
            progress: &|progress| bar.update(progress),
            ..LoadOptions::default()
        };
        let file = arrival.file();
        let report = inspect(&file, &settings, &options)?;
        let id = report.id.as_str();
        let name = match replaced {
            Some(name) => name.to_owned(),
            None => file_name(id)?,
        };
        let mut all = match dir.is_dir() {
            true => lock(dir, &settings, &options)?,
            false => Lock::default(),
        };
        if replaced.is_none()
            && let Some(there) = all.components.get(&name)
            && there.sha256 != report.digest
        {
            bail!(
                "{} exists, and is another component; `portcullis update {id}` replaces one that was \
                 added, and `portcullis remove {id}` removes it",
                dir.join(&name).display()
            );
        }
        all.components
            .insert(name.clone(), Pinned::new(id, report.digest));
        one_of_its_id(&all, id)?;
        Ok(Self {
            dir: dir.to_owned(),
            file,
            name,
            settings,
            report,
            all,
            arrival: Some(arrival),
        })
    }
}

/// The name of a hook's file. The hook chooses its id, and must not choose a directory with it.
fn file_name(id: &str) -> anyhow::Result<String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if id.is_empty() || id.len() > 100 || id.starts_with('.') || !id.chars().all(is_plain) {
        bail!(
            "the id `{id}` cannot be the name of a file: only letters, digits, `-`, `_` and `.` can"
        );
    }
    Ok(format!("{id}.wasm"))
}

fn one_of_its_id(all: &Lock, id: &str) -> anyhow::Result<()> {
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
