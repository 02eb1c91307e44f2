//! Opening a file that anybody may have put there: nothing is waited for, no link is followed, and
//! what is judged is what was opened, not what its path meant a moment before.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

use super::LoadFault;

/// A regular file, open for reading.
pub(super) struct Opened {
    file: File,
    seen: Seen,
}

/// What tells that a file was changed, or another one put in its place.
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
            // The time of the last change of any sort cannot be set back, as that of the last
            // write can.
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

/// Opens a regular file, and nothing else.
pub(super) fn regular(path: &Path) -> Result<Opened, LoadFault> {
    // To open a device can do something, so it is not tried; what counts is asked of what was
    // opened.
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
    /// How large it was when it was opened.
    pub(super) fn size(&self) -> u64 {
        self.seen.size
    }

    /// All of it, or its first `most` bytes.
    pub(super) fn read(&mut self, most: u64) -> Result<Vec<u8>, LoadFault> {
        let mut bytes = Vec::new();
        (&self.file)
            .take(most)
            .read_to_end(&mut bytes)
            .map_err(unreadable)?;
        Ok(bytes)
    }

    /// Whether it is still what it was when it was opened, and still what its path means.
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
