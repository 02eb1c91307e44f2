//! The component to inspect, and its table in the settings.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use portcullis::report::HookReport;
use portcullis::settings::FILE_NAME;
use portcullis_project::{MANIFEST, Project};

use crate::hooks::CacheArgs;
use crate::hooks::hook_arg::{HookArg, components, file_of};
use crate::hooks::trust::files;
use crate::subject::{build, note_if_outdated};
use crate::terminal::Printable;
use crate::terminal::format::printable;

/// Returns the component to inspect. An id names a hook in `hooks`.
pub(super) fn component(
    what: Option<&Path>,
    hooks: &Path,
    cache: &CacheArgs,
) -> anyhow::Result<PathBuf> {
    let project = match what {
        Some(dir) if dir.join(MANIFEST).is_file() => Project::read(dir)?,
        Some(what) => {
            return match HookArg::of(what) {
                HookArg::Id(id) if !what.is_dir() => {
                    let all = components(hooks, &files::settings(hooks)?, cache)?;
                    Ok(hooks.join(file_of(id, &all, hooks)?))
                }
                _ => {
                    note_if_outdated(what)?;
                    Ok(what.to_owned())
                }
            };
        }
        None => Project::find(Path::new(".")).context("name a component, or a hook's project")?,
    };
    build(&project, true)
}

/// The hook's table in `hooks.toml`.
pub(super) struct Named {
    dir: PathBuf,
    pub(super) file: Option<PathBuf>,
    pub(super) table: Option<toml::Table>,
}

impl Named {
    pub(super) fn of(dir: &Path, report: &HookReport) -> anyhow::Result<Self> {
        let file = dir.join(FILE_NAME);
        let text = crate::files::text(&file)?;
        // Another process may have written it since the settings were read.
        let read: Result<toml::Table, _> = toml::from_str(&text);
        let mut all = read.with_context(|| format!("{} cannot be read", file.display()))?;
        let table = match all.remove("hooks") {
            Some(toml::Value::Table(mut hooks)) => hooks.remove(report.id.as_str()),
            _ => None,
        };
        Ok(Self {
            dir: dir.to_owned(),
            file: file.exists().then_some(file),
            table: table.and_then(|table| table.try_into().ok()),
        })
    }

    pub(super) fn shown(&self) -> Printable {
        match &self.file {
            Some(file) => Printable::line(file.display()),
            None if self.dir == Path::new(".") => NO_SETTINGS.into(),
            None => printable!(
                "none in {}; --settings DIR names others",
                Printable::line(self.dir.display())
            ),
        }
    }
}

const NO_SETTINGS: &str = "none in this directory; --settings DIR names others";
