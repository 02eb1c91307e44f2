//! Removing a hook.

use std::fs;
use std::path::Path;

use super::{add, directory, hook, names, read, refused};
use crate::support::{bare, capped, portcullis, run, text};
use crate::terminal::Terminal;

#[test]
fn what_was_written_while_it_asked_is_not_overwritten() {
    let dir = directory("");
    for id in ["audit-log", "path-jail"] {
        let ran = add(dir.path(), text(&hook(id)), &["--yes"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
    let files = names(dir.path());
    let remove = ["remove", "audit-log", "--hooks", text(dir.path())];
    let untrust = ["hooks", "untrust", "path-jail", "--hooks", text(dir.path())];
    let settings = read(dir.path(), "hooks.toml");
    let lock = read(dir.path(), "hooks.lock");
    let revoke = || assert_eq!(run(&mut bare(&untrust)).code, Some(0));
    let add_one = || {
        let ran = add(dir.path(), text(&hook("input-guardrail")), &["--yes"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
    };
    for change in [&revoke as &dyn Fn(), &add_one] {
        let mut terminal = Terminal::of(bare(&remove));
        terminal.wait("yes or no?");
        change();
        let changed = (
            read(dir.path(), "hooks.toml"),
            read(dir.path(), "hooks.lock"),
        );
        terminal.answer("yes");
        terminal.wait("meanwhile");
        assert_eq!(terminal.exit_code(), Some(1));
        let now = (
            read(dir.path(), "hooks.toml"),
            read(dir.path(), "hooks.lock"),
        );
        assert_eq!(now, changed);
        // Restores the directory.
        fs::write(dir.path().join("hooks.toml"), &settings).unwrap();
        fs::write(dir.path().join("hooks.lock"), &lock).unwrap();
        let _ = fs::remove_file(dir.path().join("input-guardrail.wasm"));
    }
    assert_eq!(names(dir.path()), files);
    let without_a_person = run(&mut bare(&remove));
    refused(&without_a_person, "nothing was removed");
}

#[test]
fn what_is_left_of_a_hook_is_removed() {
    let remove = |dir: &Path, id: &str| {
        let mut command = portcullis(&["remove", id, "--hooks", text(dir)]);
        run(command.arg("--yes"))
    };
    // A table without a file and without a lock.
    let dir = capped(
        &["path-jail"],
        "[turn]\nhooks-ms = 5000\n\n[hooks.gone]\npriority = 1\n",
    );
    let ran = remove(dir.path(), "gone");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("priority = 1"), "{}", ran.out);
    assert_eq!(read(dir.path(), "hooks.toml"), "[turn]\nhooks-ms = 5000\n");
    // A hook that is not pinned, by its id.
    let wrong = remove(dir.path(), "path-jial");
    refused(&wrong, "did you mean `path-jail`?");
    // A hook with a table and a file is listed once.
    fs::write(dir.path().join("hooks.toml"), "[hooks.path-jail]\n").unwrap();
    let wrong = remove(dir.path(), "xyz");
    let place = dir.path().display();
    refused(&wrong, &format!("there is no hook `xyz` in {place};"));
    let list = wrong.err.trim_end().rsplit("; ").next();
    assert_eq!(list, Some("there are: path-jail"), "{wrong:?}");
    fs::write(dir.path().join("hooks.toml"), "[turn]\nhooks-ms = 5000\n").unwrap();
    let ran = remove(dir.path(), "path-jail");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(names(dir.path()), ["hooks.toml"]);
    // An entry of the lock and a table, whose file is gone.
    let dir = directory("");
    let added = add(dir.path(), text(&hook("audit-log")), &["--yes"]);
    assert_eq!(added.code, Some(0), "{added:?}");
    fs::remove_file(dir.path().join("audit-log.wasm")).unwrap();
    let ran = remove(dir.path(), "audit-log");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for file in ["hooks.toml", "hooks.lock"] {
        let text = read(dir.path(), file);
        assert!(!text.contains("audit-log"), "{text}");
    }
}

#[test]
fn a_file_in_the_directory_is_not_added_from_there() {
    let dir = capped(&["path-jail"], "");
    let file = dir.path().join("path-jail.wasm");
    let ran = add(dir.path(), text(&file), &["--yes"]);
    refused(&ran, "portcullis hooks trust");
    assert_eq!(names(dir.path()), ["path-jail.wasm"]);
}

#[test]
fn a_neighbour_that_does_not_load_keeps_nothing_from_being_removed() {
    let remove = |dir: &Path, id: &str| {
        let mut command = portcullis(&["remove", id, "--hooks", text(dir)]);
        run(command.arg("--yes"))
    };
    let dir = capped(&["path-jail"], "[hooks.gone]\npriority = 1\n");
    fs::write(dir.path().join("broken.wasm"), "no component").unwrap();
    let ran = remove(dir.path(), "gone");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!read(dir.path(), "hooks.toml").contains("gone"));
    let ran = remove(dir.path(), "nobody");
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let ran = remove(dir.path(), "broken");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!dir.path().join("broken.wasm").exists());
}
