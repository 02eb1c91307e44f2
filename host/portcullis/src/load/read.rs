//! Finds hook files and reads them as untrusted input.

use std::path::{Path, PathBuf};

use super::open::{self, unreadable};
use super::{LoadError, LoadFault, Stage};
use crate::settings;

/// The most bytes of a file that is not a component: enough for a lock of ten thousand hooks.
const LARGEST_SMALL: u64 = 1 << 20;

/// Returns the `.wasm` files of a directory, by name. Other files are ignored.
pub(super) fn hook_files(dir: &Path) -> Result<Vec<PathBuf>, LoadError> {
    let unreadable = |e: std::io::Error| {
        LoadError::new(
            dir,
            Stage::Read,
            LoadFault::UnreadableDirectory(e.to_string()),
        )
    };
    if dir.is_file() {
        return Err(not_a_directory(dir));
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|ending| ending == "wasm") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Creates the error for a file that is given in place of a hooks directory.
pub(crate) fn not_a_directory(file: &Path) -> LoadError {
    LoadError {
        stage: Stage::Read,
        ..settings::not_a_directory(file).into()
    }
}

/// Reads the bytes of a component. They are read once, so that the checked and hashed bytes are the
/// compiled ones.
pub(super) fn component_bytes(
    file: &Path,
    symlinks: bool,
    most: u64,
) -> Result<Vec<u8>, LoadFault> {
    let bytes = steady(&target(file, symlinks)?, most, &mut || {})?;
    is_component(&bytes)?;
    Ok(bytes)
}

/// Reads the bytes of a small file, such as the lock.
pub(crate) fn read_small(file: &Path) -> Result<Vec<u8>, LoadFault> {
    steady(file, LARGEST_SMALL, &mut || {})
}

/// Returns the file to read. If links are allowed, it is the target of the link, within the same
/// directory.
fn target(file: &Path, symlinks: bool) -> Result<PathBuf, LoadFault> {
    let link = std::fs::symlink_metadata(file)
        .map_err(unreadable)?
        .is_symlink();
    if !(link && symlinks) {
        return Ok(file.to_owned());
    }
    let to = file.canonicalize().map_err(unreadable)?;
    let dir = match file.parent() {
        Some(dir) if dir != Path::new("") => dir,
        _ => Path::new("."),
    };
    let dir = dir.canonicalize().map_err(unreadable)?;
    match to.starts_with(dir) {
        true => Ok(to),
        false => Err(LoadFault::LinkLeaves { to }),
    }
}

/// Reads the bytes of a file that does not change while it is read. A file that is changed or
/// replaced is read once more. `between` is called after each reading.
fn steady(file: &Path, most: u64, between: &mut dyn FnMut()) -> Result<Vec<u8>, LoadFault> {
    for _ in 0..2 {
        let mut opened = open::regular(file)?;
        let size = opened.size();
        if size > most {
            return Err(LoadFault::TooLarge { size, most });
        }
        let bytes = opened.read(most + 1)?;
        between();
        if !opened.is_unchanged(file)? {
            continue;
        }
        let size = opened.size().max(bytes.len() as u64);
        return match size > most {
            true => Err(LoadFault::TooLarge { size, most }),
            false => Ok(bytes),
        };
    }
    Err(LoadFault::Changing)
}

/// Checks by its first bytes that a file is a component.
fn is_component(bytes: &[u8]) -> Result<(), LoadFault> {
    const WASM: &[u8] = b"\0asm";
    const NATIVE: [&[u8]; 4] = [b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"MZ"];
    if bytes.is_empty() {
        return Err(LoadFault::Empty);
    }
    if NATIVE.iter().any(|magic| bytes.starts_with(magic)) {
        return Err(LoadFault::NativeCode);
    }
    if !bytes.starts_with(WASM) {
        let begin = bytes.get(..4.min(bytes.len())).unwrap_or_default();
        return Err(LoadFault::NotWasm(begin.escape_ascii().to_string()));
    }
    // The layer: 0 is a module, 1 a component.
    match bytes.get(6..8) {
        Some([1, 0]) => Ok(()),
        Some([0, 0]) => Err(LoadFault::CoreModule),
        Some(_) => Err(LoadFault::Invalid("it has an unknown binary layer".into())),
        None => Err(LoadFault::Invalid("it ends within its header".into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_apart_by_their_first_bytes() {
        assert_eq!(is_component(b"\0asm\x0d\0\x01\0rest"), Ok(()));
        assert_eq!(is_component(b""), Err(LoadFault::Empty));
        assert_eq!(is_component(b"\0asm\x01\0\0\0"), Err(LoadFault::CoreModule));
        assert_eq!(is_component(b"\x7fELF\x02"), Err(LoadFault::NativeCode));
        assert!(matches!(
            is_component(b"#!/bin/sh"),
            Err(LoadFault::NotWasm(_))
        ));
        assert!(matches!(is_component(b"\0asm"), Err(LoadFault::Invalid(_))));
    }

    /// Creates a file in a directory, and returns both.
    fn file(bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a.wasm");
        std::fs::write(&file, bytes).unwrap();
        (dir, file)
    }

    /// Replaces a file with another one.
    fn replace(file: &Path, bytes: &[u8]) {
        let other = file.with_extension("new");
        std::fs::write(&other, bytes).unwrap();
        std::fs::rename(&other, file).unwrap();
    }

    #[test]
    fn a_file_that_is_replaced_while_it_is_read_is_read_once_more() {
        let (_dir, path) = file(b"old");
        let mut times = 0;
        let read = steady(&path, 10, &mut || {
            times += 1;
            if times == 1 {
                // The same length, so that only the file's identity reveals the change.
                replace(&path, b"new");
            }
        });
        assert_eq!((read, times), (Ok(b"new".to_vec()), 2));
    }

    #[test]
    fn a_file_that_does_not_stay_the_same_is_refused() {
        type Change = fn(&Path, u32);
        let grow: Change = |path, n| std::fs::write(path, vec![0; n as usize]).unwrap();
        let swap: Change = |path, _| replace(path, b"old");
        let vanish: Change = |path, n| {
            if n == 1 {
                std::fs::remove_file(path).unwrap();
            }
        };
        for (change, fault) in [
            (grow, LoadFault::Changing),
            (swap, LoadFault::Changing),
            (
                vanish,
                LoadFault::Unreadable("No such file or directory (os error 2)".into()),
            ),
        ] {
            let (_dir, path) = file(b"old");
            let mut times = 0;
            let read = steady(&path, 10, &mut || {
                times += 1;
                change(&path, times);
            });
            assert_eq!(read, Err(fault));
        }
    }

    #[test]
    fn a_file_that_grows_past_the_most_is_not_read_to_its_end() {
        let (_dir, path) = file(&[0; 20]);
        let read = steady(&path, 10, &mut || {});
        assert_eq!(read, Err(LoadFault::TooLarge { size: 20, most: 10 }));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_only_within_the_directory_and_only_if_that_is_said() {
        use std::os::unix::fs::symlink;
        let (dir, inside) = file(b"in");
        let (_other, outside) = file(b"out");
        let link = |name: &str, to: &Path| {
            let link = dir.path().join(name);
            symlink(to, &link).unwrap();
            link
        };
        let near = link("near.wasm", Path::new("a.wasm"));
        let far = link("far.wasm", &outside);
        let twice = link("twice.wasm", &far);
        let read = |path: &Path, symlinks| {
            target(path, symlinks).and_then(|path| steady(&path, 10, &mut || {}))
        };
        assert_eq!(read(&inside, false), Ok(b"in".to_vec()));
        assert_eq!(read(&near, false), Err(LoadFault::Symlink));
        assert_eq!(read(&near, true), Ok(b"in".to_vec()));
        for link in [far, twice] {
            assert_eq!(read(&link, false), Err(LoadFault::Symlink));
            assert!(matches!(
                read(&link, true),
                Err(LoadFault::LinkLeaves { .. })
            ));
        }
        let nowhere = link("nowhere.wasm", Path::new("none"));
        assert!(matches!(
            read(&nowhere, true),
            Err(LoadFault::Unreadable(_))
        ));
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_regular_file_is_never_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        std::fs::create_dir(path("dir.wasm")).unwrap();
        let fifo = std::process::Command::new("mkfifo")
            .arg(path("fifo.wasm"))
            .status();
        assert!(fifo.unwrap().success());
        let _socket = std::os::unix::net::UnixListener::bind(path("socket.wasm")).unwrap();
        for file in [
            path("dir.wasm"),
            path("fifo.wasm"),
            path("socket.wasm"),
            PathBuf::from("/dev/null"),
        ] {
            let read = component_bytes(&file, true, 1 << 20);
            assert_eq!(read, Err(LoadFault::NotAFile), "{}", file.display());
        }
    }
}
