//! Settings files that the command reads and writes.

use std::fs::Permissions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use directories::ProjectDirs;

/// Returns the directory for persistent data: `$XDG_STATE_HOME/portcullis`. `None` if the user has
/// no home directory.
pub fn state_dir() -> Option<PathBuf> {
    let dirs = ProjectDirs::from("", "", "portcullis")?;
    let dir = dirs.state_dir().unwrap_or_else(|| dirs.data_local_dir());
    Some(dir.to_owned())
}

/// Returns the path of the chat history. `None` if the user has no home directory.
pub fn history_path() -> Option<PathBuf> {
    Some(state_dir()?.join("chat-history"))
}

/// Returns the text of a file; empty if it does not exist.
pub fn text(path: &Path) -> anyhow::Result<String> {
    match std::fs::read_to_string(path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        read => read.with_context(|| format!("{} cannot be read", path.display())),
    }
}

/// Replaces a file's content with a text, whole or not at all. Follows a link.
pub fn replace(path: &Path, text: &str) -> anyhow::Result<()> {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let permissions = std::fs::metadata(&path).map(|old| old.permissions()).ok();
    write(&path, text.as_bytes(), permissions)
}

/// Replaces a file's content with bytes, whole or not at all. Replaces a link.
pub fn put(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    write(path, bytes, None)
}

fn write(path: &Path, bytes: &[u8], permissions: Option<Permissions>) -> anyhow::Result<()> {
    let write = || -> std::io::Result<()> {
        let dir = match path.parent() {
            Some(dir) if dir != Path::new("") => dir,
            _ => Path::new("."),
        };
        #[cfg_attr(not(unix), expect(unused_mut, reason = "modes are of Unix"))]
        let mut temporary = tempfile::Builder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            temporary.permissions(Permissions::from_mode(0o644));
        }
        let mut temporary = temporary.tempfile_in(dir)?;
        temporary.write_all(bytes)?;
        if let Some(permissions) = permissions {
            temporary.as_file().set_permissions(permissions)?;
        }
        temporary.as_file().sync_all()?;
        temporary.persist(path)?;
        Ok(())
    };
    write().with_context(|| format!("{} cannot be written", path.display()))
}
