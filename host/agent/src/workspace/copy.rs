//! Copying and removing directories with untrusted content.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;
#[cfg(unix)]
use std::path::PathBuf;

use super::WorkspaceError;

/// Copies a directory and returns the bytes of the files in it, or `None` if there are more than
/// `max_bytes`. Links are copied as links and never followed. Only files, directories and links are
/// copied. The copy must not exist yet, and is incomplete after an error.
pub(super) fn tree(from: &Path, to: &Path, max_bytes: u64) -> Result<Option<u64>, WorkspaceError> {
    let mut bytes = 0;
    let mut waiting = vec![(from.to_owned(), to.to_owned())];
    let mut made = Vec::new();
    while let Some((from, to)) = waiting.pop() {
        fs::create_dir(&to).map_err(WorkspaceError::io("making", &to))?;
        for entry in entries(&from)? {
            let entry = entry.map_err(WorkspaceError::io("reading", &from))?;
            let (source, target) = (entry.path(), to.join(entry.file_name()));
            let kind = entry
                .file_type()
                .map_err(WorkspaceError::io("reading", &source))?;
            if kind.is_dir() {
                waiting.push((source, target));
            } else if kind.is_symlink() {
                link(&source, &target).map_err(WorkspaceError::io("copying", &source))?;
            } else if kind.is_file() {
                let left = max_bytes - bytes;
                let copied =
                    file(&source, &target, left).map_err(WorkspaceError::io("copying", &source))?;
                if copied > left {
                    return Ok(None);
                }
                bytes += copied;
            } else {
                tracing::warn!(path = %source.display(), "neither a file nor a directory: not copied");
            }
        }
        made.push((from, to));
    }
    // Permissions last, and innermost first, because a directory may be read-only.
    for (from, to) in made.iter().rev() {
        fs::symlink_metadata(from)
            .and_then(|metadata| fs::set_permissions(to, metadata.permissions()))
            .map_err(WorkspaceError::io("setting the permissions of", to))?;
    }
    Ok(Some(bytes))
}

fn entries(path: &Path) -> Result<fs::ReadDir, WorkspaceError> {
    fs::read_dir(path).map_err(WorkspaceError::io("reading", path))
}

/// Copies a file, but stops if it has more than `most` bytes.
fn file(from: &Path, to: &Path, most: u64) -> io::Result<u64> {
    let source = File::open(from)?;
    let permissions = source.metadata()?.permissions();
    let mut target = File::create_new(to)?;
    let copied = io::copy(&mut source.take(most.saturating_add(1)), &mut target)?;
    target.set_permissions(permissions)?;
    Ok(copied)
}

#[cfg(unix)]
fn link(from: &Path, to: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(fs::read_link(from)?, to)
}

#[cfg(windows)]
fn link(from: &Path, to: &Path) -> io::Result<()> {
    let target = fs::read_link(from)?;
    if from.is_dir() {
        std::os::windows::fs::symlink_dir(target, to)
    } else {
        std::os::windows::fs::symlink_file(target, to)
    }
}

/// Removes a directory and its content, if it exists. Links in it are removed, not followed.
pub(super) fn remove(path: &Path) -> Result<(), WorkspaceError> {
    let removed = match fs::remove_dir_all(path) {
        // A tool may have left read-only directories.
        Err(e) if e.kind() == io::ErrorKind::PermissionDenied => {
            make_removable(path);
            fs::remove_dir_all(path)
        }
        done => done,
    };
    match removed {
        Err(e) if e.kind() != io::ErrorKind::NotFound => {
            Err(WorkspaceError::io("removing", path)(e))
        }
        _ => Ok(()),
    }
}

#[cfg(unix)]
fn make_removable(path: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    let mut waiting: Vec<PathBuf> = vec![path.to_owned()];
    while let Some(path) = waiting.pop() {
        // If this fails, removing the directory also fails, and returns the error.
        let _ = fs::set_permissions(&path, fs::Permissions::from_mode(0o700));
        let inside = fs::read_dir(&path).into_iter().flatten().flatten();
        waiting.extend(
            inside
                .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
                .map(|entry| entry.path()),
        );
    }
}

#[cfg(not(unix))]
fn make_removable(_: &Path) {}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn copies_what_is_there_and_follows_no_link() {
        let dir = tempfile::tempdir().unwrap();
        let (from, to) = (dir.path().join("from"), dir.path().join("to"));
        fs::create_dir_all(from.join("a/b")).unwrap();
        fs::write(from.join("a/b/file"), "12345").unwrap();
        fs::write(from.join("run"), "#!").unwrap();
        fs::set_permissions(from.join("run"), fs::Permissions::from_mode(0o755)).unwrap();
        fs::create_dir(dir.path().join("outside")).unwrap();
        fs::write(dir.path().join("outside/secret"), "secret").unwrap();
        symlink("../outside", from.join("out")).unwrap();
        symlink("nowhere", from.join("a/dangling")).unwrap();
        std::os::unix::net::UnixListener::bind(from.join("socket")).unwrap();
        fs::set_permissions(from.join("a/b"), fs::Permissions::from_mode(0o500)).unwrap();

        assert_eq!(tree(&from, &to, 7).unwrap(), Some(7));
        assert_eq!(fs::read_to_string(to.join("a/b/file")).unwrap(), "12345");
        assert_eq!(
            fs::read_link(to.join("out")).unwrap(),
            Path::new("../outside")
        );
        assert_eq!(
            fs::read_link(to.join("a/dangling")).unwrap(),
            Path::new("nowhere")
        );
        assert!(!to.join("socket").exists());
        for (path, mode) in [("run", 0o755), ("a/b", 0o500)] {
            let permissions = fs::metadata(to.join(path)).unwrap().permissions();
            assert_eq!(permissions.mode() & 0o777, mode, "{path}");
        }

        assert_eq!(tree(&from, &dir.path().join("less"), 6).unwrap(), None);
        remove(&to).unwrap();
        remove(&to).unwrap();
        assert!(!to.exists() && dir.path().join("outside/secret").exists());
        remove(&from).unwrap();
    }
}
