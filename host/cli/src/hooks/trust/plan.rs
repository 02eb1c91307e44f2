//! The planned changes of `trust`, `add` and `update`, and writing them.

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use portcullis::LoadOptions;
use portcullis::hooks::HooksError;
use portcullis::lock::{Lock, Pinned};
use portcullis::report::HookReport;
use portcullis::settings::{FILE_NAME, Settings};

use super::edit;
use super::files::Before;
use super::grants::{self, Extra};
use super::target::{Arrival, Target};
use crate::hooks::CacheArgs;

/// The planned changes to a hooks directory.
pub(crate) struct Plan {
    dir: PathBuf,
    /// The component, if it is not in the directory yet.
    arrival: Option<Arrival>,
    /// The hook's report after the change.
    pub(crate) report: HookReport,
    before: Before,
    /// `hooks.toml` and the lock after the change.
    after: String,
    new: Lock,
}

impl Plan {
    /// Plans a table with grants for the hook's imports, and checks that the hook would load.
    pub(crate) fn of(target: Target, extra: &Extra, cache: &CacheArgs) -> anyhow::Result<Self> {
        let id = target.report.id.as_str();
        let said = target.settings.hooks.get(id).map(|said| &said.grants);
        let grants = grants::of(&target.report, said, &target.settings.defaults, extra)?;
        let before = Before::of(&target.dir)?;
        let after = edit::named(&before.settings, id, said, &grants)?;
        let settings = Settings::parse(&before.settings_file(), &after);
        let settings = settings.map_err(HooksError::from)?;
        let options = LoadOptions {
            compiler: crate::compiler::child(),
            cache: cache.choice(),
            ..LoadOptions::default()
        };
        let mut report = target.inspect(&settings, &options)?;
        // The same file must be shown, granted and pinned.
        if report.digest != target.report.digest {
            bail!(
                "{} changed while it was read; nothing was written. Run the command again",
                target.shown().display()
            );
        }
        if let [first, ..] = report.not_granted.as_slice() {
            bail!("{}: {first}", target.shown().display());
        }
        let old = &before.lock;
        // The inspected digest is the one pinned.
        let mut pinned = Pinned::new(target.report.id.to_string(), target.report.digest);
        pinned.origin = match &target.arrival {
            Some(arrival) => Some(arrival.origin.clone()),
            // The file is the one that was fetched.
            None => old
                .as_ref()
                .and_then(|old| old.components.get(&target.name))
                .filter(|old| old.sha256 == pinned.sha256)
                .and_then(|old| old.origin.clone()),
        };
        let mut new = old.clone().unwrap_or(target.all);
        report.file = target.dir.join(&target.name);
        for error in &mut report.config_errors {
            if error.file == target.file {
                error.file.clone_from(&report.file);
            }
        }
        new.components.insert(target.name, pinned);
        Ok(Self {
            dir: target.dir,
            arrival: target.arrival,
            report,
            before,
            after,
            new,
        })
    }

    pub(crate) fn id(&self) -> &str {
        self.report.id.as_str()
    }

    pub(crate) fn settings_file(&self) -> PathBuf {
        self.before.settings_file()
    }

    pub(crate) fn lock_file(&self) -> PathBuf {
        self.before.lock_file()
    }

    /// Returns a directory with the planned `hooks.toml`, beside a component that is not in the
    /// directory yet.
    pub(crate) fn settings_for_cases(&self, staged: &std::path::Path) -> anyhow::Result<PathBuf> {
        let dir = match self.before.settings == self.after {
            true => return Ok(self.dir.clone()),
            false => staged.parent().unwrap_or(&self.dir),
        };
        crate::files::replace(&dir.join(FILE_NAME), &self.after)?;
        Ok(dir.to_owned())
    }

    /// Returns whether everything is written already.
    pub(crate) fn is_done(&self) -> bool {
        let is_there = match &self.arrival {
            Some(arrival) => arrival.is_there(&self.report.file),
            None => true,
        };
        is_there
            && self.before.settings == self.after
            && self.before.lock.as_ref() == Some(&self.new)
    }

    /// Returns the number of files that a new lock pins; `None` if there is a lock.
    pub(crate) fn pins_all(&self) -> Option<usize> {
        self.before
            .lock
            .is_none()
            .then_some(self.new.components.len())
    }

    /// Returns the lines that are new in `hooks.toml`.
    pub(crate) fn lines(&self) -> Vec<&str> {
        let mut before: Vec<&str> = self.before.settings.lines().collect();
        let after = self.after.lines().filter(|line| !line.is_empty());
        after
            .filter(|line| match before.iter().position(|old| old == line) {
                Some(at) => {
                    before.remove(at);
                    false
                }
                None => true,
            })
            .collect()
    }

    /// Writes the file, the lock and then the settings: a hook that is not pinned is refused, and one that is
    /// pinned and not named yet is still capped.
    pub(crate) fn write(&self) -> anyhow::Result<()> {
        self.before.ensure_unchanged()?;
        let undo = match &self.arrival {
            Some(arrival) => Some(arrival.put(&self.report.file)?),
            None => None,
        };
        let written = self.write_texts();
        if written.is_err() {
            self.restore_lock();
            if let Some(undo) = undo {
                undo.run();
            }
        }
        written
    }

    /// Restores the lock. The caller reports the error that led here.
    fn restore_lock(&self) {
        let _ = match &self.before.lock {
            Some(old) => old.write(&self.dir),
            None => std::fs::remove_file(self.lock_file()),
        };
    }

    fn write_texts(&self) -> anyhow::Result<()> {
        if self.before.lock.as_ref() != Some(&self.new) {
            let written = self.new.write(&self.dir);
            written.with_context(|| format!("{} cannot be written", self.lock_file().display()))?;
        }
        if self.before.settings != self.after {
            crate::files::replace(&self.settings_file(), &self.after)?;
        }
        Ok(())
    }
}
