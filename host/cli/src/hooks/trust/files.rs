//! The files that `trust` and `untrust` read and write.

use std::io::Write as _;
use std::path::Path;

use anyhow::Context as _;
use portcullis::hooks::{HooksError, LoadErrors};
use portcullis::lock::Lock;
use portcullis::settings::Settings;

/// The settings of a directory.
pub(super) fn settings(dir: &Path) -> Result<Settings, HooksError> {
    Settings::of_dir(dir).map_err(|e| HooksError::Load(LoadErrors::from(e)))
}

/// The text of a settings file; none if it is not there.
pub(super) fn text(path: &Path) -> anyhow::Result<String> {
    match std::fs::read_to_string(path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        read => read.with_context(|| format!("{} cannot be read", path.display())),
    }
}

/// The lock of a directory, if it has one.
pub(super) fn lock(dir: &Path) -> Result<Option<Lock>, HooksError> {
    Lock::of_dir(dir).map_err(|error| HooksError::Load(LoadErrors(vec![error])))
}

/// Puts a text in the place of a file, whole or not at all. A link is followed.
pub(super) fn replace(path: &Path, text: &str) -> anyhow::Result<()> {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let write = || -> std::io::Result<()> {
        let dir = path.parent().unwrap_or(Path::new("."));
        let mut temporary = tempfile::Builder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            temporary.permissions(std::fs::Permissions::from_mode(0o644));
        }
        let mut temporary = temporary.tempfile_in(dir)?;
        temporary.write_all(text.as_bytes())?;
        if let Ok(old) = std::fs::metadata(&path) {
            temporary.as_file().set_permissions(old.permissions())?;
        }
        temporary.persist(&path)?;
        Ok(())
    };
    write().with_context(|| format!("{} cannot be written", path.display()))
}
