//! Reading of a small file that others may have placed. Only a regular file is read, so that
//! reading never blocks, and at most a given number of bytes.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _};
use std::path::Path;

/// Reads the bytes of a regular file. Links are followed: the author of the path chooses the
/// file.
///
/// # Errors
///
/// The file cannot be read, is not a regular file, or has more than `most` bytes.
pub(crate) fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let not_regular = || io::Error::other("it is not a regular file");
    // Opening a device can have effects, so a device is not opened. The file may still be replaced
    // before it is opened, so the check is repeated on the open file.
    if !std::fs::metadata(path)?.is_file() {
        return Err(not_regular());
    }
    let file = open(path)?;
    if !file.metadata()?.is_file() {
        return Err(not_regular());
    }
    let mut bytes = Vec::new();
    let read = file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    match read as u64 > most {
        true => Err(io::Error::other(format!(
            "it is larger than the limit of {most} bytes"
        ))),
        false => Ok(bytes),
    }
}

/// Reads the text of a regular file.
///
/// # Errors
///
/// As [`read`], or the file is not text.
pub(crate) fn read_text(path: &Path, most: u64) -> io::Result<String> {
    String::from_utf8(read(path, most)?).map_err(|_| io::Error::other("it is not UTF-8 text"))
}

#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = OpenOptions::new();
    // Do not wait for a pipe that has replaced the file in the meantime.
    options.read(true).custom_flags(libc::O_NONBLOCK);
    options.open(path)
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).open(path)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_of_some_size_are_read_and_none_is_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        let made = std::process::Command::new("mkfifo")
            .arg(path("pipe"))
            .status();
        assert!(made.unwrap().success());
        std::fs::write(path("file"), "12345").unwrap();
        std::os::unix::fs::symlink("file", path("link")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", path("endless")).unwrap();
        assert_eq!(read(&path("file"), 5).unwrap(), b"12345");
        assert_eq!(read_text(&path("link"), 5).unwrap(), "12345");
        for (name, why) in [
            ("file", "the limit of 4 bytes"),
            ("pipe", "not a regular file"),
            ("endless", "not a regular file"),
            (".", "not a regular file"),
            ("none", "No such file"),
        ] {
            let error = read(&path(name), 4).expect_err(name).to_string();
            assert!(error.contains(why), "{error}");
        }
    }
}
