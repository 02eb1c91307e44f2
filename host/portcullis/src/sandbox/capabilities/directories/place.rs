//! The place of a directory, by the identities of directories instead of their names: anyone with
//! write access can change names.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs::{File, Metadata};
use std::io;
use std::path::{Component, Path, PathBuf};

/// A limit above the number of directories of any path, and of links that a path may have.
const MOST_ANCESTORS: usize = 4_096;
const MOST_LINKS: usize = 40;

/// The identity of a file or directory, whatever its name is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Identity(#[cfg(unix)] (u64, u64), #[cfg(not(unix))] PathBuf);

impl Identity {
    #[cfg(unix)]
    fn of(meta: &Metadata, _: &Path) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self((meta.dev(), meta.ino()))
    }

    #[cfg(not(unix))]
    fn of(_: &Metadata, path: &Path) -> Self {
        Self(path.canonicalize().unwrap_or_else(|_| path.to_owned()))
    }
}

/// A directory, and its ancestors, outermost last.
#[derive(Debug, Clone)]
pub(super) struct Place {
    itself: Identity,
    above: Vec<Identity>,
}

impl Place {
    /// Returns the directory itself.
    pub(super) fn itself(&self) -> &Identity {
        &self.itself
    }

    /// Returns whether another directory contains this one.
    pub(super) fn is_within(&self, other: &Identity) -> bool {
        self.above.contains(other)
    }

    /// Finds the current place of an open directory. The path is used only on systems without a
    /// better way.
    #[cfg(unix)]
    pub(super) fn of(dir: &File, path: &Path) -> io::Result<Self> {
        let itself = Identity::of(&dir.metadata()?, path);
        let mut above = Vec::new();
        let mut here = dir.try_clone()?;
        let mut last = itself.clone();
        while above.len() < MOST_ANCESTORS {
            here = super::walk::step(&here, Path::new(".."))?;
            let next = Identity::of(&here.metadata()?, path);
            // The root contains itself.
            if next == last {
                return Ok(Self { itself, above });
            }
            above.push(next.clone());
            last = next;
        }
        Err(io::Error::other("too many directories contain it"))
    }

    #[cfg(not(unix))]
    pub(super) fn of(dir: &File, path: &Path) -> io::Result<Self> {
        let meta = dir.metadata()?;
        let path = path.canonicalize()?;
        let above = path.ancestors().skip(1).take(MOST_ANCESTORS);
        Ok(Self {
            itself: Identity::of(&meta, &path),
            above: above.map(|above| Identity::of(&meta, above)).collect(),
        })
    }
}

/// Returns every directory that resolving a path passes through, links included: anyone who can
/// write to one of them can put another file in its place.
pub(crate) fn passed(path: &Path) -> io::Result<Vec<Identity>> {
    let path = std::path::absolute(path)?;
    let mut here = PathBuf::new();
    let mut left = names(&path);
    let mut links = 0;
    let mut passed = Vec::new();
    while let Some(name) = left.pop_front() {
        match Path::new(&name).components().next() {
            Some(Component::ParentDir) => {
                here.pop();
                continue;
            }
            Some(Component::Prefix(_) | Component::RootDir) => here = PathBuf::from(&name),
            _ => here.push(&name),
        }
        let meta = match std::fs::symlink_metadata(&here) {
            Ok(meta) => meta,
            // A missing entry can be created by anyone who can write to the directories passed
            // already.
            Err(e) if e.kind() == io::ErrorKind::NotFound => break,
            Err(e) => return Err(e),
        };
        passed.push(Identity::of(&meta, &here));
        if !meta.is_symlink() {
            continue;
        }
        links += 1;
        if links > MOST_LINKS {
            return Err(io::Error::other("it passes through too many links"));
        }
        let mut target = names(&std::fs::read_link(&here)?);
        here.pop();
        target.append(&mut left);
        left = target;
    }
    Ok(passed)
}

fn names(path: &Path) -> VecDeque<OsString> {
    let components = path.components();
    let meant = components.filter(|component| *component != Component::CurDir);
    meant
        .map(|component| component.as_os_str().to_owned())
        .collect()
}
