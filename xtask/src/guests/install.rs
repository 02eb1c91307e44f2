//! Copies components to the directory where a host looks for them.

use std::ffi::OsString;
use std::fmt::{self, Display, Formatter};
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use super::about::About;
use super::packages::Packages;
use crate::{Error, Result};

/// Makes `to` contain the components of these packages in `built`, and no others, each with the
/// facts from its project's manifest in `sources`. Returns the changes made.
pub(super) fn all(
    packages: &Packages,
    sources: &Path,
    built: &Path,
    to: &Path,
) -> Result<Option<Done>> {
    let mut done = Done::default();
    if packages.names().next().is_none() && !to.exists() {
        return Ok(None);
    }
    fs::create_dir_all(to).map_err(|cause| Error::file("make", to, &cause))?;
    for name in packages.names() {
        let from = built.join(name.replace('-', "_")).with_extension("wasm");
        let mut component = fs::read(&from).map_err(|cause| Error::file("read", &from, &cause))?;
        About::of_project(&sources.join(name))?.put_into(&mut component);
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

/// The changes that [`all`] made.
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

/// Writes a file unless it has this content. A concurrent reader sees the whole old or new file,
/// and several processes may write it at once.
fn write(path: &Path, bytes: &[u8]) -> Result<bool> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(false);
    }
    let fault = |cause: &std::io::Error| Error::file("write", path, cause);
    let dir = path.parent().unwrap_or(Path::new("."));
    let named = tempfile::Builder::new();
    let made = named.make_in(dir, |path| File::create_new(path));
    let mut new = made.map_err(|cause| fault(&cause))?;
    new.write_all(bytes).map_err(|cause| fault(&cause))?;
    new.persist(path).map_err(|kept| fault(&kept.error))?;
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
    use std::path::Path;
    use std::{fs, thread};

    use tempfile::tempdir;

    use super::{Packages, all, write};

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
        let dir = tempdir().expect("a directory");
        let (built, to) = (dir.path().join("built"), dir.path().join("hooks"));
        fs::create_dir_all(&built).expect("a directory");
        fs::create_dir_all(&to).expect("a directory");
        fs::write(built.join("path_jail.wasm"), "new").expect("a file");
        for name in ["path-jail.wasm", "gone.wasm", "hooks.toml"] {
            fs::write(to.join(name), "old").expect("a file");
        }
        all(&Packages::of(&["path-jail"]), dir.path(), &built, &to).expect("one component");
        assert_eq!(names(&to), ["hooks.toml", "path-jail.wasm"]);
        assert_eq!(fs::read(to.join("path-jail.wasm")).expect("a file"), b"new");
    }

    #[test]
    fn what_is_the_same_is_not_written() {
        let dir = tempdir().expect("a directory");
        let path = dir.path().join("a.wasm");
        assert!(write(&path, b"1").expect("a file"));
        assert!(!write(&path, b"1").expect("a file"));
        assert!(write(&path, b"2").expect("a file"));
        assert_eq!(names(dir.path()), ["a.wasm"]);
    }

    #[test]
    fn several_write_the_same_file_at_once() {
        let dir = tempdir().expect("a directory");
        let path = dir.path().join("a.wasm");
        thread::scope(|scope| {
            for writer in 0..4 {
                let path = &path;
                scope.spawn(move || {
                    for turn in 0..100 {
                        write(path, format!("{writer} {turn}").as_bytes()).expect("a file");
                    }
                });
            }
        });
        assert_eq!(names(dir.path()), ["a.wasm"]);
    }
}
