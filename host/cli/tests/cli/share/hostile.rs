//! A hooks directory that a stranger wrote.

use std::fs;
use std::path::Path;

use portcullis::verdict::Digest;

use super::{directory, hook, names, refused};
use crate::support::{run, text};

/// Writes a lock with one file and its source.
fn lock(dir: &Path, name: &str, source: &Path) {
    let digest = Digest::of(&fs::read(source).unwrap());
    let source = source.display();
    let lock = format!(
        "version = 1\n[components.'{name}']\nid = \"a\"\nsha256 = \"{digest}\"\norigin.source = '{source}'\n"
    );
    fs::write(dir.join("hooks.lock"), lock).unwrap();
}

#[test]
fn a_lock_makes_no_command_write_or_remove_a_file_elsewhere() {
    let outside = tempfile::tempdir().unwrap();
    let victim = outside.path().join("victim.wasm");
    fs::write(&victim, "mine").unwrap();
    let dir = directory("");
    let to = tempfile::tempdir().unwrap();
    lock(dir.path(), text(&victim), &hook("audit-log"));
    let vendor = ["vendor", text(to.path()), "--hooks", text(dir.path())];
    let remove = ["remove", "a", "--yes", "--hooks", text(dir.path())];
    for arguments in [&vendor[..], &remove] {
        let ran = run(&mut crate::support::bare(arguments));
        refused(&ran, "is not the name of a component file");
        assert_eq!(fs::read(&victim).unwrap(), b"mine");
    }
    assert_eq!(names(to.path()), [""; 0]);
}

#[test]
fn what_is_no_component_is_not_taken_along() {
    let dir = directory("");
    let script = dir.path().join("script.sh");
    fs::write(&script, "#!/bin/sh\n").unwrap();
    lock(dir.path(), "a.wasm", &script);
    fs::copy(&script, dir.path().join("a.wasm")).unwrap();
    let to = tempfile::tempdir().unwrap();
    let vendor = ["vendor", text(to.path()), "--hooks", text(dir.path())];
    refused(
        &run(&mut crate::support::bare(&vendor)),
        "is no WebAssembly component",
    );
    assert_eq!(names(to.path()), [""; 0]);
}

#[cfg(unix)]
#[test]
fn what_is_taken_along_replaces_a_link_and_not_what_it_leads_to() {
    let dir = directory("");
    lock(dir.path(), "a.wasm", &hook("audit-log"));
    fs::copy(hook("audit-log"), dir.path().join("a.wasm")).unwrap();
    let to = tempfile::tempdir().unwrap();
    let victim = dir.path().join("victim");
    fs::write(&victim, "mine").unwrap();
    std::os::unix::fs::symlink(&victim, to.path().join("a.wasm")).unwrap();
    let vendor = ["vendor", text(to.path()), "--hooks", text(dir.path())];
    let ran = run(&mut crate::support::bare(&vendor));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(fs::read(&victim).unwrap(), b"mine");
}
