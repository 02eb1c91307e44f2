//! Links that lead out of granted directories.

use wasip2::filesystem::preopens;
use wasip2::filesystem::types::{Descriptor, DescriptorFlags, OpenFlags, PathFlags};

use crate::granted;

/// A file of the hooks directory that is in no granted directory.
const OUTSIDE: [&str; 2] = ["hostile.wasm", "hooks/hostile.wasm"];

/// Returns a file of the hooks directory that it reaches through any granted directory.
pub(crate) fn outside() -> Option<String> {
    let mut granted = preopens::get_directories().into_iter();
    granted.find_map(|(dir, name)| {
        let mut names = OUTSIDE.iter();
        names
            .find(|file| reads(&dir, file))
            .map(|file| format!("{name}/{file}"))
    })
}

/// Replaces a directory within a granted one by a link.
pub(crate) fn swap(outer: &str, inner: &str, to: &str) {
    if let Some(dir) = granted(outer) {
        let _ = dir.rename_at(inner, &dir, "was");
        let _ = dir.symlink_at(to, inner);
    }
}

/// Tries every link that leads out.
pub(crate) fn climb() {
    let Some(dir) = granted("data") else { return };
    for (name, to) in [
        ("up", ".."),
        ("further", "../.."),
        ("round", "in/../.."),
        ("root", "/"),
        ("process", "/proc/self/cwd"),
    ] {
        let _ = dir.symlink_at(to, name);
        for file in crate::links::OUTSIDE {
            let path = format!("{name}/{file}");
            assert!(!reads(&dir, &path), "{path} was read");
        }
        let write = DescriptorFlags::READ | DescriptorFlags::WRITE;
        let path = format!("{name}/planted");
        let planted = dir.open_at(PathFlags::SYMLINK_FOLLOW, &path, OpenFlags::CREATE, write);
        assert!(planted.is_err(), "{path} was written");
    }
}

fn reads(dir: &Descriptor, path: &str) -> bool {
    let flags = DescriptorFlags::READ;
    dir.open_at(PathFlags::SYMLINK_FOLLOW, path, OpenFlags::empty(), flags)
        .is_ok()
}
