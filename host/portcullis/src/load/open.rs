//! Safe opening of untrusted files. Opening never blocks and follows no link. Checks apply to the
//! opened file, not to an earlier file at its path.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

use super::LoadFault;

/// A regular file, open for reading.
pub(super) struct Opened {
    file: File,
    seen: Seen,
}

/// The metadata that reveals a change or a replacement of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seen {
    size: u64,
    modified: Option<std::time::SystemTime>,
    #[cfg(unix)]
    unix: [i64; 4],
}

impl Seen {
    pub(crate) fn of(meta: &Metadata) -> Self {
        #[cfg(unix)]
        use std::os::unix::fs::MetadataExt;
        Self {
            size: meta.len(),
            modified: meta.modified().ok(),
            // Unlike the modification time, the change time cannot be set back.
            #[cfg(unix)]
            unix: [
                meta.dev().cast_signed(),
                meta.ino().cast_signed(),
                meta.ctime(),
                meta.ctime_nsec(),
            ],
        }
    }
}

/// Opens a regular file. Anything else is an error.
pub(super) fn regular(path: &Path) -> Result<Opened, LoadFault> {
    // Opening a device can have side effects, so the path is checked first. The opened file is
    // checked again.
    let there = std::fs::symlink_metadata(path).map_err(unreadable)?;
    if there.is_symlink() {
        return Err(LoadFault::Symlink);
    }
    if !there.is_file() {
        return Err(LoadFault::NotAFile);
    }
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    }
    let file = options.open(path).map_err(|error| {
        #[cfg(unix)]
        if error.raw_os_error() == Some(libc::ELOOP) {
            return LoadFault::Symlink;
        }
        unreadable(error)
    })?;
    let meta = file.metadata().map_err(unreadable)?;
    if !meta.is_file() {
        return Err(LoadFault::NotAFile);
    }
    let seen = Seen::of(&meta);
    Ok(Opened { file, seen })
}

impl Opened {
    /// Returns the size at the time of opening.
    pub(super) fn size(&self) -> u64 {
        self.seen.size
    }

    /// Reads the file, or its first `most` bytes.
    pub(super) fn read(&mut self, most: u64) -> Result<Vec<u8>, LoadFault> {
        let mut bytes = Vec::new();
        (&self.file)
            .take(most)
            .read_to_end(&mut bytes)
            .map_err(unreadable)?;
        Ok(bytes)
    }

    /// Returns whether the file is unchanged since it was opened and is still at its path.
    pub(super) fn is_unchanged(&self, path: &Path) -> Result<bool, LoadFault> {
        let now = self.file.metadata().map_err(unreadable)?;
        let there = match std::fs::symlink_metadata(path) {
            Ok(there) => there,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(e) => return Err(unreadable(e)),
        };
        Ok(Seen::of(&now) == self.seen && Seen::of(&there) == self.seen)
    }
}

pub(super) fn unreadable(error: io::Error) -> LoadFault {
    LoadFault::Unreadable(error.to_string())
}
