//! Settings files that the command reads and writes.

use std::io::Write as _;
use std::path::Path;

use anyhow::Context as _;

/// The text of a file; empty if it does not exist.
pub fn text(path: &Path) -> anyhow::Result<String> {
    match std::fs::read_to_string(path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        read => read.with_context(|| format!("{} cannot be read", path.display())),
    }
}

/// Puts a text in the place of a file, whole or not at all. A link is followed.
pub fn replace(path: &Path, text: &str) -> anyhow::Result<()> {
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
