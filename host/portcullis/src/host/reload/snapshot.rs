//! A snapshot of a hooks directory's metadata, to detect that the directory has changed and has
//! settled.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use crate::load::Seen;
use crate::load::lock::LOCK_NAME;
use crate::settings::FILE_NAME;

/// The metadata of the files from which hooks are loaded. Other files in the directory are ignored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Snapshot {
    /// `None` if the directory cannot be read.
    files: Option<BTreeMap<OsString, Stamp>>,
}

/// The stamp of a file, and of its target if it is a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    itself: Option<Seen>,
    target: Option<Seen>,
}

impl Snapshot {
    pub(super) fn of(dir: &Path) -> Self {
        let files = std::fs::read_dir(dir).map(|entries| {
            let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
            let ours = paths.filter(|path| is_ours(path));
            let stamped = ours.filter_map(|path| {
                let stamp = Stamp {
                    itself: std::fs::symlink_metadata(&path).ok().as_ref().map(Seen::of),
                    target: std::fs::metadata(&path).ok().as_ref().map(Seen::of),
                };
                Some((path.file_name()?.to_owned(), stamp))
            });
            stamped.collect()
        });
        Self { files: files.ok() }
    }
}

fn is_ours(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "wasm")
        || path
            .file_name()
            .is_some_and(|name| name == FILE_NAME || name == LOCK_NAME)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_what_hooks_are_loaded_from_is_seen_and_no_other() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        let write = |name: &str, bytes: &[u8]| std::fs::write(path(name), bytes).unwrap();
        let mut last = Snapshot::of(dir.path());
        let mut differs = || {
            let now = Snapshot::of(dir.path());
            std::mem::replace(&mut last, now.clone()) != now
        };
        assert!(!differs());
        for name in ["a.wasm", "hooks.toml", "hooks.lock"] {
            write(name, b"1");
            assert!(differs(), "{name} is new");
        }
        write("notes.txt", b"1");
        write("a.wasm.part", b"1");
        assert!(!differs(), "neither is loaded");
        // A file of the same length, renamed into place.
        write("b", b"2");
        std::fs::rename(path("b"), path("a.wasm")).unwrap();
        assert!(differs(), "another file");
        std::fs::remove_file(path("a.wasm")).unwrap();
        assert!(differs(), "gone");
        assert!(!differs());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_is_turned_elsewhere_is_seen_and_so_is_a_change_of_where_it_leads() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        std::fs::create_dir(path("v")).unwrap();
        for name in ["v/1", "v/2"] {
            std::fs::write(path(name), name).unwrap();
        }
        symlink("v/1", path("a.wasm")).unwrap();
        let first = Snapshot::of(dir.path());
        symlink("v/2", path("new")).unwrap();
        std::fs::rename(path("new"), path("a.wasm")).unwrap();
        let second = Snapshot::of(dir.path());
        assert_ne!(first, second);
        std::fs::write(path("v/2"), "longer than it was").unwrap();
        assert_ne!(second, Snapshot::of(dir.path()));
    }
}
