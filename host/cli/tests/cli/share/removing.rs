//! Removing a hook.

use std::fs;

use super::{add, directory, hook, names, read, refused};
use crate::support::{bare, run, text};
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
        // As it was before.
        fs::write(dir.path().join("hooks.toml"), &settings).unwrap();
        fs::write(dir.path().join("hooks.lock"), &lock).unwrap();
        let _ = fs::remove_file(dir.path().join("input-guardrail.wasm"));
    }
    assert_eq!(names(dir.path()), files);
    let without_a_person = run(&mut bare(&remove));
    refused(&without_a_person, "nothing was removed");
}
