//! Resolving a path that the model wrote.

use std::io;
use std::path::{Component, Path, PathBuf};

use crate::policy::ExecutionGrant;
use crate::tool::ToolError;

/// Resolves a path. If the grant has a working directory, relative paths begin there, and paths
/// outside of it are refused, including those through symlinks.
///
/// This prevents mistakes of an honest model. It is not a sandbox: another process can move files
/// between the check and the use.
pub(super) fn resolve(grant: &ExecutionGrant, path: &str) -> Result<PathBuf, ToolError> {
    let Some(root) = &grant.working_dir else {
        return Ok(PathBuf::from(path));
    };
    let root = root
        .canonicalize()
        .map_err(|e| ToolError::Failed(format!("the working directory cannot be used: {e}")))?;
    let place = follow(&root.join(path)).map_err(|e| failed(path, &e))?;
    if place.starts_with(&root) {
        Ok(place)
    } else {
        Err(ToolError::NotGranted(format!(
            "`{path}` is outside of the working directory"
        )))
    }
}

/// Returns the path with all symlinks of its existing part followed. The rest is kept unchanged.
fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut existing = path;
    let mut missing = Vec::new();
    loop {
        match existing.canonicalize() {
            Ok(mut place) => {
                place.extend(missing.iter().rev());
                return Ok(place);
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                // A dangling link is not a missing file: writing to it would create its target.
                if existing.is_symlink() {
                    return Err(e);
                }
                match (existing.components().next_back(), existing.parent()) {
                    (Some(Component::Normal(name)), Some(parent)) => {
                        missing.push(name);
                        existing = parent;
                    }
                    // `..` after a missing directory cannot be resolved.
                    _ => return Err(e),
                }
            }
            Err(e) => return Err(e),
        }
    }
}

/// Returns an I/O error with the path that the model wrote.
pub(super) fn failed(path: &str, error: &io::Error) -> ToolError {
    ToolError::Failed(format!("`{path}`: {error}"))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use super::*;

    fn grant(dir: &Path) -> ExecutionGrant {
        ExecutionGrant {
            working_dir: Some(dir.to_owned()),
            timeout: Duration::from_secs(1),
        }
    }

    #[test]
    fn stays_in_the_working_directory() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("in");
        fs::create_dir_all(root.join("sub")).unwrap();
        fs::write(dir.path().join("secret"), "x").unwrap();
        let grant = grant(&root);
        for inside in ["a", "sub/b", "./sub/../c", "new/deep/d", ""] {
            assert!(resolve(&grant, inside).is_ok(), "{inside}");
        }
        for outside in [
            "../secret",
            "/etc/hostname",
            "sub/../../secret",
            "..",
            "new/../../x",
        ] {
            assert!(resolve(&grant, outside).is_err(), "{outside}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_do_not_lead_out() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("in");
        fs::create_dir_all(&root).unwrap();
        fs::write(dir.path().join("secret"), "x").unwrap();
        std::os::unix::fs::symlink(dir.path().join("secret"), root.join("link")).unwrap();
        std::os::unix::fs::symlink(dir.path().join("none"), root.join("dangling")).unwrap();
        std::os::unix::fs::symlink(dir.path(), root.join("up")).unwrap();
        let grant = grant(&root);
        for outside in ["link", "dangling", "up/secret", "up/new"] {
            assert!(resolve(&grant, outside).is_err(), "{outside}");
        }
    }

    #[test]
    fn without_a_working_directory_any_path_is_allowed() {
        let grant = ExecutionGrant {
            working_dir: None,
            timeout: Duration::from_secs(1),
        };
        assert_eq!(resolve(&grant, "/etc").unwrap(), PathBuf::from("/etc"));
    }
}
