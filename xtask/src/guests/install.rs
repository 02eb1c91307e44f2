//! Putting components where a host finds them.

use std::ffi::OsString;
use std::fmt::{self, Display, Formatter};
use std::fs;
use std::path::Path;
use std::process;

use super::packages::Packages;
use crate::{Error, Result};

/// Makes `to` hold the components of these packages, as they are in `built`, and no other. Gives
/// what was done, or nothing if there was nothing to do.
pub(super) fn all(packages: &Packages, built: &Path, to: &Path) -> Result<Option<Done>> {
    let mut done = Done::default();
    if packages.names().next().is_none() && !to.exists() {
        return Ok(None);
    }
    fs::create_dir_all(to).map_err(|cause| Error::file("make", to, &cause))?;
    for name in packages.names() {
        let from = built.join(name.replace('-', "_")).with_extension("wasm");
        let component = fs::read(&from).map_err(|cause| Error::file("read", &from, &cause))?;
        done.components += 1;
        if write(&to.join(name).with_extension("wasm"), &component)? {
            eprintln!("hooks: {name}, {} kB", component.len().div_ceil(1000));
            done.changed += 1;
        }
    }
    done.removed = remove_stale(packages, to)?;
    Ok(Some(done))
}

/// Copies the operator's settings, if there are any, into the hooks directory.
pub(super) fn settings(from: &Path, to: &Path) -> Result<()> {
    match fs::read(from) {
        Ok(text) => {
            fs::create_dir_all(to).map_err(|cause| Error::file("make", to, &cause))?;
            write(&to.join("hooks.toml"), &text).map(drop)
        }
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(cause) => Err(Error::file("read", from, &cause)),
    }
}

/// What [`all`] did.
#[derive(Debug, Default)]
pub(super) struct Done {
    components: usize,
    changed: usize,
    removed: usize,
}

impl Display for Done {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self {
            components,
            changed,
            removed,
        } = self;
        write!(
            f,
            "{components} components, {changed} changed, {removed} removed"
        )
    }
}

/// Writes a file unless it has this content. A concurrent reader sees the old or the new
/// one whole.
fn write(path: &Path, bytes: &[u8]) -> Result<bool> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(false);
    }
    let new = path.with_extension(format!("new-{}", process::id()));
    fs::write(&new, bytes).map_err(|cause| Error::file("write", &new, &cause))?;
    fs::rename(&new, path).map_err(|cause| Error::file("write", path, &cause))?;
    Ok(true)
}

fn remove_stale(packages: &Packages, dir: &Path) -> Result<usize> {
    let wanted: Vec<OsString> = packages
        .names()
        .map(|name| format!("{name}.wasm").into())
        .collect();
    let fault = |cause: &std::io::Error| Error::file("read", dir, cause);
    let mut removed = 0;
    for entry in fs::read_dir(dir).map_err(|cause| fault(&cause))? {
        let entry = entry.map_err(|cause| fault(&cause))?;
        let path = entry.path();
        let is_component = path
            .extension()
            .is_some_and(|extension| extension == "wasm");
        if is_component && !wanted.contains(&entry.file_name()) {
            fs::remove_file(&path).map_err(|cause| Error::file("remove", &path, &cause))?;
            removed += 1;
        }
    }
    Ok(removed)
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};
    use std::{env, fs, process};

    use super::{Packages, all, write};

    /// A directory of the test's own, removed at its end.
    struct Dir(PathBuf);

    impl Dir {
        fn new(test: &str) -> Self {
            let dir = env::temp_dir().join(format!("portcullis-xtask-{test}-{}", process::id()));
            fs::create_dir_all(&dir).expect("a directory");
            Self(dir)
        }
    }

    impl Drop for Dir {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn names(dir: &Path) -> Vec<String> {
        let entries = fs::read_dir(dir).expect("a directory");
        let mut names: Vec<_> = entries
            .map(|entry| {
                entry
                    .expect("an entry")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        names.sort();
        names
    }

    #[test]
    fn the_directory_holds_what_was_built() {
        let dir = Dir::new("install");
        let (built, to) = (dir.0.join("built"), dir.0.join("hooks"));
        fs::create_dir_all(&built).expect("a directory");
        fs::create_dir_all(&to).expect("a directory");
        fs::write(built.join("path_jail.wasm"), "new").expect("a file");
        for name in ["path-jail.wasm", "gone.wasm", "hooks.toml"] {
            fs::write(to.join(name), "old").expect("a file");
        }
        all(&Packages::of(&["path-jail"]), &built, &to).expect("one component");
        assert_eq!(names(&to), ["hooks.toml", "path-jail.wasm"]);
        assert_eq!(fs::read(to.join("path-jail.wasm")).expect("a file"), b"new");
    }

    #[test]
    fn what_is_the_same_is_not_written() {
        let dir = Dir::new("write");
        let path = dir.0.join("a.wasm");
        assert!(write(&path, b"1").expect("a file"));
        assert!(!write(&path, b"1").expect("a file"));
        assert!(write(&path, b"2").expect("a file"));
        assert_eq!(names(&dir.0), ["a.wasm"]);
    }
}
