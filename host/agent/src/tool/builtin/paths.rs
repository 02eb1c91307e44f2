//! From what the model calls a path to a place in the working directory.

use std::io;
use std::path::{Component, Path, PathBuf};

use crate::policy::ExecutionGrant;
use crate::tool::ToolError;

/// The place a path means. With a working directory in the grant, relative paths start there, and
/// what lies outside of it, also by way of symlinks, is refused.
///
/// This keeps an honest model in its place. It is no sandbox: between the check and the use,
/// another process can move things.
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

/// The path with all symlinks followed, as far as it exists; what does not exist yet is taken as
/// it is written.
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
                // A link that leads nowhere is no missing file: writing to it would make its target.
                if existing.is_symlink() {
                    return Err(e);
                }
                match (existing.components().next_back(), existing.parent()) {
                    (Some(Component::Normal(name)), Some(parent)) => {
                        missing.push(name);
                        existing = parent;
                    }
                    // `..` behind something missing has no place.
                    _ => return Err(e),
                }
            }
            Err(e) => return Err(e),
        }
    }
}

/// A failure at a path, in words that name it as the model did.
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
    fn without_a_working_directory_any_path_goes() {
        let grant = ExecutionGrant {
            working_dir: None,
            timeout: Duration::from_secs(1),
        };
        assert_eq!(resolve(&grant, "/etc").unwrap(), PathBuf::from("/etc"));
    }
}
