//! Opens a directory by its path, one directory after another and without following any link: a
//! hook with write access to a directory on the path may have put a link there.

use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::contract::text::sanitize_for_terminal;

/// The reason why a directory was not opened.
#[derive(Debug)]
pub(super) enum Stopped {
    /// No file has this name.
    Missing(PathBuf, io::Error),
    /// The path does not name a directory.
    NotADirectory,
    /// A part of the path is a link.
    Link(PathBuf),
    /// The system refuses to open the directory.
    Failed(PathBuf, io::Error),
}

impl Stopped {
    /// Returns the reason, and the fix.
    pub(super) fn why(&self) -> String {
        let why = match self {
            Self::Missing(at, e) => format!(
                "is not there ({}: {e}); make it, or take the grant away",
                at.display()
            ),
            Self::NotADirectory => "is no directory; grant the one that it is in".to_owned(),
            Self::Link(at) => format!(
                "is reached by the symbolic link {}, and links are not followed; grant the directory that it leads to",
                at.display()
            ),
            Self::Failed(at, e) => format!(
                "cannot be opened ({}: {e}); let this user read it, or take the grant away",
                at.display()
            ),
        };
        sanitize_for_terminal(&why)
    }
}

/// Opens a directory. A relative path begins at `base`, whose own path may have links, since the
/// operator wrote it.
pub(super) fn open(base: &Path, path: &Path) -> Result<File, Stopped> {
    let mut at = match path.is_absolute() {
        true => path
            .components()
            .take_while(|part| !is_name(part))
            .collect(),
        false => base.to_owned(),
    };
    let mut here = start(&at).map_err(|e| failed(&at, e))?;
    for part in path.components() {
        if !is_name(&part) {
            continue;
        }
        let step = step(&here, Path::new(&part));
        at.push(part);
        here = step.map_err(|e| match is_link(&here, &at) {
            true => Stopped::Link(at.clone()),
            false => failed(&at, e),
        })?;
    }
    finish(&here, &at).map_err(|e| failed(&at, e))
}

/// Returns whether a part of a path leads from one directory to another.
fn is_name(part: &Component<'_>) -> bool {
    matches!(part, Component::Normal(_) | Component::ParentDir)
}

fn failed(at: &Path, error: io::Error) -> Stopped {
    match error.kind() {
        io::ErrorKind::NotFound => Stopped::Missing(at.to_owned(), error),
        io::ErrorKind::NotADirectory => Stopped::NotADirectory,
        _ => Stopped::Failed(at.to_owned(), error),
    }
}

#[cfg(unix)]
mod system {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, openat, statat};

    /// A directory on the path need not be readable.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    const PASS: OFlags = OFlags::PATH;
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    const PASS: OFlags = OFlags::RDONLY;

    const DIRECTORY: OFlags = OFlags::DIRECTORY.union(OFlags::CLOEXEC);

    pub(super) fn start(base: &Path) -> io::Result<File> {
        let base = match base == Path::new("") {
            true => Path::new("."),
            false => base,
        };
        Ok(openat(CWD, base, DIRECTORY | PASS, Mode::empty())?.into())
    }

    pub(in super::super) fn step(here: &File, name: &Path) -> io::Result<File> {
        let flags = DIRECTORY | PASS | OFlags::NOFOLLOW;
        Ok(openat(here, name, flags, Mode::empty())?.into())
    }

    pub(super) fn is_link(here: &File, at: &Path) -> bool {
        let name = at.file_name().unwrap_or_default();
        let stat = statat(here, name, AtFlags::SYMLINK_NOFOLLOW);
        stat.is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Symlink)
    }

    pub(super) fn finish(here: &File, _: &Path) -> io::Result<File> {
        Ok(openat(here, ".", DIRECTORY | OFlags::RDONLY, Mode::empty())?.into())
    }
}

/// The implementation for other systems. Every part is checked before the next one, and the checked
/// directories stay open.
#[cfg(not(unix))]
mod system {
    use std::fs::{File, OpenOptions};
    use std::io;
    use std::path::Path;

    pub(super) fn start(base: &Path) -> io::Result<std::path::PathBuf> {
        base.canonicalize()
    }

    pub(super) fn step(here: &Path, name: &Path) -> io::Result<std::path::PathBuf> {
        let next = here.join(name);
        let meta = std::fs::symlink_metadata(&next)?;
        match meta.is_dir() && !meta.is_symlink() {
            true => next.canonicalize(),
            false => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    pub(super) fn is_link(here: &Path, at: &Path) -> bool {
        let next = here.join(at.file_name().unwrap_or_default());
        std::fs::symlink_metadata(next).is_ok_and(|meta| meta.is_symlink())
    }

    pub(super) fn finish(here: &Path, _: &Path) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.read(true);
        #[cfg(windows)]
        {
            use std::os::windows::fs::OpenOptionsExt;
            /// The flag without which Windows opens no directories.
            const BACKUP_SEMANTICS: u32 = 0x0200_0000;
            options.custom_flags(BACKUP_SEMANTICS);
        }
        options.open(here)
    }
}

#[cfg(unix)]
pub(super) use system::step;
#[cfg(not(unix))]
use system::step;
use system::{finish, is_link, start};
