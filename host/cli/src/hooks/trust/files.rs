//! The files that `trust`, `add` and related commands read and write.

use std::path::{Path, PathBuf};

use anyhow::bail;
use portcullis::hooks::HooksError;
use portcullis::lock::{LOCK_NAME, Lock};
use portcullis::settings::{FILE_NAME, Settings};
use portcullis_project::Project;

/// Refuses a project's output directory: a build does not write `hooks.toml` and `hooks.lock`.
pub(crate) fn is_no_output(dir: &Path) -> anyhow::Result<()> {
    let Some(project) = Project::dir_of_output(dir) else {
        return Ok(());
    };
    bail!(
        "{} is where the project in {} is built, not a hooks directory; put the component into one with \
         `portcullis add FILE --hooks DIR`; what the project's tests may do is in {}",
        dir.display(),
        project.display(),
        project.join(FILE_NAME).display()
    );
}

/// Returns the settings of a directory.
pub(crate) fn settings(dir: &Path) -> Result<Settings, HooksError> {
    Settings::of_dir(dir).map_err(HooksError::from)
}

/// Returns the lock of a directory, if it has one.
pub(crate) fn lock(dir: &Path) -> Result<Option<Lock>, HooksError> {
    Lock::of_dir(dir).map_err(HooksError::from)
}

/// `hooks.toml` and the lock as they were read, before a person was asked.
pub(crate) struct Before {
    dir: PathBuf,
    /// The text of `hooks.toml`; empty if there is none.
    pub(crate) settings: String,
    pub(crate) lock: Option<Lock>,
}

impl Before {
    pub(crate) fn of(dir: &Path) -> anyhow::Result<Self> {
        Ok(Self {
            dir: dir.to_owned(),
            settings: crate::files::text(&dir.join(FILE_NAME))?,
            lock: lock(dir)?,
        })
    }

    pub(crate) fn settings_file(&self) -> PathBuf {
        self.dir.join(FILE_NAME)
    }

    pub(crate) fn lock_file(&self) -> PathBuf {
        self.dir.join(LOCK_NAME)
    }

    /// Checks that both files are still the same. A person may take long to answer, and writing
    /// would undo another process's changes.
    pub(crate) fn ensure_unchanged(&self) -> anyhow::Result<()> {
        let now = Self::of(&self.dir)?;
        if now.settings != self.settings || now.lock != self.lock {
            bail!(
                "nothing was written: {} or {} was changed meanwhile; run the command again",
                self.settings_file().display(),
                self.lock_file().display()
            );
        }
        Ok(())
    }
}
