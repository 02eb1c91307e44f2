//! Paths of hooks that are missing, empty, or of the wrong kind.

use super::FLAKY;
use crate::support::{bare, directory, portcullis, run, text};

#[test]
fn a_missing_directory_is_named() {
    for command in ["list", "order", "check"] {
        let ran = run(&mut portcullis(&[
            "hooks",
            command,
            "--hooks",
            "no/such/directory",
        ]));
        assert_eq!(ran.code, Some(1), "{ran:?}");
        let said = format!("{}{}", ran.out, ran.err);
        assert!(said.contains("no/such/directory"), "{ran:?}");
        assert!(said.contains("name a directory that exists"), "{ran:?}");
    }
}

#[test]
fn a_missing_file_is_named() {
    for command in [["hooks", "inspect"], ["attack", "--hook"]] {
        let ran = run(bare(&command).arg("nope.wasm"));
        assert_eq!(ran.code, Some(1), "{ran:?}");
        for said in ["nope.wasm", "name a file that exists"] {
            assert!(ran.err.contains(said), "no {said} in\n{}", ran.err);
        }
    }
}

#[test]
fn a_file_for_a_directory_and_a_directory_for_a_file_are_told_apart() {
    let dir = directory(&["flaky"], FLAKY);
    let (file, settings) = (dir.path().join("flaky.wasm"), dir.path().join("hooks.toml"));
    for named in [text(&file), text(&settings)] {
        for command in [
            portcullis(&["hooks", "check"]),
            portcullis(&["hooks", "list"]),
            bare(&["attack"]),
        ] {
            let mut command = command;
            let ran = run(command.args(["--hooks", named]));
            let said = format!("{}{}", ran.out, ran.err);
            assert_eq!(ran.code, Some(1), "{ran:?}");
            assert!(said.contains("a hooks directory is meant"), "{said}");
            assert!(
                said.contains(&format!("is in: {}\n", text(dir.path()))),
                "{said}"
            );
        }
    }
    let here = text(dir.path());
    for command in [
        &["hooks", "inspect", here][..],
        &["test", "--component", here],
    ] {
        let ran = run(&mut portcullis(command));
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.err.contains("a component is meant"), "{}", ran.err);
    }
    let ran = run(&mut portcullis(&["check", "--agent", here]));
    assert!(ran.out.contains("agent.toml"), "{ran:?}");
}

#[test]
fn an_empty_directory_is_a_warning() {
    let dir = tempfile::tempdir().unwrap();
    let check = |more: &[&str]| {
        let mut ran = portcullis(&["hooks", "check", "--hooks", text(dir.path())]);
        run(ran.args(more))
    };
    let people = check(&[]);
    assert_eq!(people.code, Some(0), "{people:?}");
    assert!(!people.out.contains('✓'), "{}", people.out);
    assert!(people.out.contains("has no hooks"), "{}", people.out);
    let problems = check(&["--json"]).json();
    assert_eq!(problems[0]["level"], "warning", "{problems}");
    let listed = run(&mut portcullis(&[
        "hooks",
        "list",
        "--hooks",
        text(dir.path()),
    ]));
    assert!(listed.err.contains("has no hooks"), "{listed:?}");
}
