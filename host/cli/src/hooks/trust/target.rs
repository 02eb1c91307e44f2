//! The hook that the argument names, and the other files of its directory.

use std::path::{Path, PathBuf};

use anyhow::bail;
use portcullis::LoadOptions;
use portcullis::hooks::{HooksError, inspect};
use portcullis::lock::{Lock, Pinned};
use portcullis::report::HookReport;
use portcullis::settings::Settings;

pub(crate) use super::arrival::Arrival;
use super::files;
use crate::hooks::CacheArgs;
use crate::hooks::hook_arg::{HookArg, components, file_of, is_of_one_file, with_options};

/// The hook to trust, in its current state.
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
        let hook = HookArg::of(hook);
        let dir = match hook {
            HookArg::Id(_) => dir,
            HookArg::File(file) => match file.parent() {
                Some(parent) if parent != Path::new("") => parent,
                _ => Path::new("."),
            },
        };
        files::is_no_output(dir)?;
        let settings = files::settings(dir)?;
        let all = components(dir, &settings, cache)?;
        let name = match hook {
            HookArg::File(file) => named(&all, file)?,
            HookArg::Id(id) => file_of(id, &all, dir)?,
        };
        let file = dir.join(&name);
        let report = with_options(cache, |options| inspect(&file, &settings, options))?;
        is_of_one_file(report.id.as_str(), &all)?;
        if all.components.get(&name).map(|pinned| pinned.sha256) != Some(report.digest) {
            bail!(
                "{} was changed while it was read; try again",
                file.display()
            );
        }
        Ok(Self {
            dir: dir.to_owned(),
            file,
            name,
            settings,
            report,
            all,
            arrival: None,
        })
    }

    /// Creates the target for a component that is put into a directory: under its id, or in place
    /// of the file that it replaces.
    pub(crate) fn arriving(
        arrival: Arrival,
        dir: &Path,
        replaced: Option<&str>,
        cache: &CacheArgs,
    ) -> anyhow::Result<Self> {
        files::is_no_output(dir)?;
        let settings = files::settings(dir)?;
        let file = arrival.file();
        let report = with_options(cache, |options| inspect(&file, &settings, options))
            .map_err(|error| arrival.named(error))?;
        let id = report.id.as_str();
        let name = match replaced {
            Some(name) => name.to_owned(),
            None => file_name(id)?,
        };
        let mut all = match dir.is_dir() {
            true => components(dir, &settings, cache)?,
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
        is_of_one_file(id, &all)?;
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

    /// Inspects the hook under other settings.
    pub(super) fn inspect(
        &self,
        settings: &Settings,
        options: &LoadOptions<'_>,
    ) -> Result<HookReport, HooksError> {
        let inspected = inspect(&self.file, settings, options);
        match &self.arrival {
            Some(arrival) => inspected.map_err(|error| arrival.named(error)),
            None => inspected,
        }
    }

    /// Returns the name for errors: the file, or the source of a component that is not in the
    /// directory yet.
    pub(super) fn shown(&self) -> &Path {
        match &self.arrival {
            Some(arrival) => Path::new(&arrival.origin.source),
            None => &self.file,
        }
    }
}

/// Returns the name of a hook's file. The hook chooses its id, and must not choose a directory with
/// it.
fn file_name(id: &str) -> anyhow::Result<String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if id.is_empty() || id.len() > 100 || id.starts_with('.') || !id.chars().all(is_plain) {
        bail!(
            "the id `{id}` cannot be the name of a file: only letters, digits, `-`, `_` and `.` can"
        );
    }
    Ok(format!("{id}.wasm"))
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
