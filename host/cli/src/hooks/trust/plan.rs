//! What `trust` would write, and writing it.

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use portcullis::LoadOptions;
use portcullis::hooks::{HooksError, LoadErrors, inspect};
use portcullis::lock::{LOCK_NAME, Lock, Pinned};
use portcullis::report::HookReport;
use portcullis::settings::{FILE_NAME, Settings};

use super::grants::{self, Extra};
use super::target::Target;
use super::{edit, files};
use crate::hooks::CacheArgs;

/// What would be written.
pub(super) struct Plan {
    dir: PathBuf,
    /// The hook as it would then stand.
    pub(super) report: HookReport,
    /// `hooks.toml` now, and then.
    before: String,
    after: String,
    /// The lock now, and then.
    old: Option<Lock>,
    new: Lock,
}

impl Plan {
    /// Names the hook with what it imports, and checks that it would load.
    pub(super) fn of(target: Target, extra: &Extra, cache: &CacheArgs) -> anyhow::Result<Self> {
        let id = target.report.id.as_str();
        let said = target.settings.hooks.get(id).map(|said| &said.grants);
        let grants = grants::of(&target.report, said, &target.settings.defaults, extra)?;
        let path = target.dir.join(FILE_NAME);
        let before = crate::files::text(&path)?;
        let after = edit::named(&before, id, said, &grants)?;
        let settings = Settings::parse(&path, &after);
        let settings = settings.map_err(|e| HooksError::Load(LoadErrors::from(e)))?;
        let options = LoadOptions {
            compiler: crate::compiler::child(),
            cache: cache.choice(),
            ..LoadOptions::default()
        };
        let report = inspect(&target.file, &settings, &options)?;
        // What is shown, granted and pinned is one and the same file.
        if report.digest != target.report.digest {
            bail!(
                "{} changed while it was read; nothing was written. Run the command again",
                target.file.display()
            );
        }
        if let [first, ..] = report.not_granted.as_slice() {
            bail!("{}: {first}", target.file.display());
        }
        let old = files::lock(&target.dir)?;
        // What was looked at is what is pinned.
        let pinned = Pinned {
            id: target.report.id.to_string(),
            sha256: target.report.digest,
        };
        let mut new = old.clone().unwrap_or(target.all);
        new.components.insert(target.name, pinned);
        Ok(Self {
            dir: target.dir,
            report,
            before,
            after,
            old,
            new,
        })
    }

    pub(super) fn id(&self) -> &str {
        self.report.id.as_str()
    }

    pub(super) fn settings_file(&self) -> PathBuf {
        self.dir.join(FILE_NAME)
    }

    pub(super) fn lock_file(&self) -> PathBuf {
        self.dir.join(LOCK_NAME)
    }

    /// Whether all of it is written already.
    pub(super) fn is_done(&self) -> bool {
        self.before == self.after && self.old.as_ref() == Some(&self.new)
    }

    /// How many files a lock pins that is made anew; `None` if there is a lock.
    pub(super) fn pins_all(&self) -> Option<usize> {
        self.old.is_none().then_some(self.new.components.len())
    }

    /// The lines that are new in `hooks.toml`.
    pub(super) fn lines(&self) -> Vec<&str> {
        let mut before: Vec<&str> = self.before.lines().collect();
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

    /// Writes the lock and then the settings: a hook that is pinned and not named yet is still capped.
    /// A person may take long to answer, so nothing is written if either is another one by then.
    pub(super) fn write(&self) -> anyhow::Result<()> {
        if crate::files::text(&self.settings_file())? != self.before
            || files::lock(&self.dir)? != self.old
        {
            bail!(
                "nothing was written: {} or {} was changed meanwhile; run the command again",
                self.settings_file().display(),
                self.lock_file().display()
            );
        }
        if self.old.as_ref() != Some(&self.new) {
            let written = self.new.write(&self.dir);
            written.with_context(|| format!("{} cannot be written", self.lock_file().display()))?;
        }
        if self.before != self.after {
            crate::files::replace(&self.settings_file(), &self.after)?;
        }
        Ok(())
    }
}
